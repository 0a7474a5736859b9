/* Elements, hints, and what the browser remembers. Text is only set as text, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element with attributes (functions for "onclick" and the like) and children. */
export const el = (tag, attributes = {}, ...children) =>
  build(document.createElement(tag), attributes, children);

/** An SVG element. */
export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

/** Replace the children of an element; the child with the same data-key keeps the focus. */
export function replace(parent, ...children) {
  const active = document.activeElement;
  const key = parent.contains(active) ? active.closest("[data-key]")?.dataset.key : undefined;
  parent.replaceChildren(...children.flat().filter((child) => child !== null));
  if (key !== undefined) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  return parent;
}

/** Announce a change to screen readers. */
export function announce(text) {
  document.getElementById("said").textContent = text;
}

/** A dialog with a form; calls `send` with its values and shows the error that it throws. */
export function ask(title, fields, button, send) {
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const submit = el("button", { class: "primary" }, button);
  const form = el("form", { method: "dialog" },
    el("h2", {}, title), fields, problem,
    el("div", { class: "buttons" },
      submit, el("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  const dialog = el("dialog", { "aria-label": title, onclose: () => dialog.remove() }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await send(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      blame(form, problem, error);
    } finally {
      submit.disabled = false;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input, textarea, select")?.focus();
}

/** Show an error next to a form, and mark its field. */
export function blame(form, place, error) {
  place.textContent = error?.message ?? "";
  place.hidden = !error;
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const field = error?.argument && form.elements[error.argument.split(/[ .[]/)[0]];
  if (field instanceof HTMLElement) {
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
}

let fields = 0;

/** A labelled field with a hint. */
export function field(label, input, hint) {
  fields += 1;
  input.id = `field-${fields}`;
  const small = hint === undefined ? null : el("small", { id: `hint-${fields}` }, hint);
  if (small) input.setAttribute("aria-describedby", small.id);
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input, small);
}

/** A group of buttons, one of which is pressed. */
export function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    el("button", { type: "button", "aria-pressed": String(value === chosen), onclick: (event) => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === event.currentTarget));
      choose(value);
    } }, text));
  return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

/** A table from headings and rows of texts or elements. */
export function table(headings, rows, attributes = {}) {
  return el("table", attributes,
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", {}, cell))))));
}

/** Questions whose answers are shown; kept here because the page redraws its parts. */
const asked = new Set();
let answers = 0;

/** A question mark that shows or hides an answer. */
export function hint(question, ...answer) {
  answers += 1;
  const text = el("div", { id: `answer-${answers}`, class: "hint", hidden: !asked.has(question) }, answer);
  const mark = el("button", {
    type: "button", class: "question", "aria-label": question, title: question, "data-key": question,
    "aria-expanded": String(asked.has(question)), "aria-controls": text.id,
    onclick: () => {
      if (!asked.delete(question)) asked.add(question);
      text.hidden = !asked.has(question);
      mark.setAttribute("aria-expanded", String(!text.hidden));
    },
  }, "?");
  return [mark, text];
}

/** A list of words with their meanings. */
export const meanings = (pairs) =>
  el("dl", {}, pairs.map(([word, meaning]) => [el("dt", {}, word), el("dd", {}, meaning)]).flat());

/** What this browser remembers under a name; null if storage is disabled. */
export function recall(what) {
  try {
    return localStorage.getItem(`boclust ${what}`);
  } catch {
    return null;
  }
}

export function remember(what, value) {
  try {
    localStorage.setItem(`boclust ${what}`, value);
  } catch {
    // storage is disabled: ask again next time
  }
}
