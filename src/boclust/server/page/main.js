/* Which page is shown, and the login. */

import { get, post, Problem, studyPath } from "./api.js";
import { blame, el, field, recall, remember, replace } from "./dom.js";
import { listPage } from "./list.js";
import { studyPage } from "./study.js";

const main = document.getElementById("main");
const THEMES = ["auto", "light", "dark"];
let leave = () => {};

/** Show the page of the present address; links and forms call this again. */
async function show({ focus = false } = {}) {
  leave();
  leave = () => {};
  let who;
  try {
    who = await get("whoami");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    showWho(null);
    if (error.status === 401) showLogin();
    else showProblem(error);
    return;
  }
  showWho(who);
  const name = new URLSearchParams(location.search).get("study");
  const site = { who, go, failed, may: allowed(who.role) };
  if (name === null) leave = listPage(main, site);
  else if (studyPath(name)) leave = studyPage(main, studyPath(name), site);
  else showProblem(new Error("There is no such study."));
  if (focus) main.focus();
  scrollTo(0, 0);
}

/** What a role allows. */
const allowed = (role) => ({ tell: role !== "read", admin: role === "admin" });

/** Go to another page without reloading. */
function go(address) {
  history.pushState(null, "", new URL(address, document.baseURI));
  show({ focus: true });
}

/** Handle an error of a whole page: signed out, deleted, no server. */
function failed(error) {
  if (error.status === 401) show();
  else showProblem(error);
}

function showProblem(error) {
  leave();
  leave = () => {};
  document.title = "boclust";
  replace(main, el("section", { class: "card narrow" },
    el("h1", {}, "That did not work"), el("p", { class: "problem", role: "alert" }, error.message),
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "primary", onclick: () => show() }, "Try again"),
      el("a", { href: "./" }, "All studies"))));
}

function showLogin() {
  document.title = "Sign in – boclust";
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const form = el("form", { class: "card narrow", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await post("login", { token: form.elements.token.value.trim() });
      show({ focus: true });
    } catch (error) {
      blame(form, problem, error);
      form.elements.token.select();
    }
  } },
  el("h1", {}, "Sign in"),
  field("Token", el("input", {
    name: "token", type: "password", autocomplete: "current-password", required: true,
  }), "It begins with boc_. The administrator of this server creates it with: boclust token create"),
  problem, el("button", { class: "primary" }, "Sign in"));
  replace(main, form);
  form.elements.token.focus();
}

function showWho(who) {
  const out = async () => {
    await post("logout").catch(() => {});
    history.pushState(null, "", document.baseURI);
    show({ focus: true });
  };
  replace(document.getElementById("who"), who?.tokens ? [
    el("span", {}, `${who.name} (${who.role})`),
    el("button", { type: "button", class: "quiet", onclick: out }, "Sign out"),
  ] : []);
}

function showTheme(button) {
  const theme = recall("theme") ?? "auto";
  document.documentElement.dataset.theme = theme;
  button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  button.setAttribute("aria-label", `Theme: ${theme === "auto" ? "as the system" : theme}`);
  button.title = button.getAttribute("aria-label");
}

const theme = document.getElementById("theme");
theme.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme;
  remember("theme", THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
  showTheme(theme);
});
showTheme(theme);

document.getElementById("skip").addEventListener("click", () => main.focus());
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!link || !plain || link.hasAttribute("download") || event.defaultPrevented) return;
  if (link.origin === location.origin && link.pathname === new URL(document.baseURI).pathname) {
    event.preventDefault();
    go(link.href);
  }
});
addEventListener("popstate", () => show({ focus: true }));
show();
