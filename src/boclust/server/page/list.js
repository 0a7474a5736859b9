/* The list of studies and their progress. */

import { Feed, get } from "./api.js";
import { createStudy } from "./create.js";
import { el, replace } from "./dom.js";
import { count, date, fromNow, isRunning, number, percent, plural, rough, stateWord } from "./format.js";

const PAGE = 100;
const POLL = 5000;

export function listPage(main, site) {
  document.title = "Studies – boclust";
  let wanted = PAGE;
  const rows = el("tbody");
  const empty = el("p", { class: "empty" }, "Loading…");
  const more = el("button", { type: "button", hidden: true, onclick: () => {
    wanted += PAGE;
    feed.now();
  } }, "Show more");
  const filter = el("input", {
    type: "search", placeholder: "Filter by name", "aria-label": "Filter by name",
    hidden: true, oninput: () => show(),
  });
  const headings = ["Study", "State", "Progress", "Remaining", "Samples", "Cost", "Last event"];
  const list = el("table", { class: "studies", hidden: true },
    el("caption", { class: "unseen" }, "Studies"),
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))), rows);
  let found = { studies: [], next: null };

  replace(main,
    el("div", { class: "top" },
      el("div", {}, el("h1", {}, "Studies"), el("p", { class: "facts" },
        "A study chooses which arm to sample next. It is certified when its clusters are certain, up to an error probability δ.")),
      filter,
      site.may.admin ? el("button", {
        type: "button", class: "primary", onclick: () => createStudy(site),
      }, "New study…") : null),
    el("section", { class: "card flush", "aria-label": "Studies" }, list, empty, more));

  function show() {
    const part = filter.value.toLowerCase();
    const shown = found.studies.filter((study) => study.name.toLowerCase().includes(part));
    replace(rows, shown.map(row));
    list.hidden = !shown.length;
    empty.hidden = shown.length > 0;
    empty.textContent = found.studies.length ? "No study has a matching name."
      : site.may.admin ? "There is no study yet. Create one with “New study”."
        : "There is no study that your token covers.";
    filter.hidden = found.studies.length < 8 && !filter.value;
    more.hidden = found.next === null;
  }

  async function load() {
    const studies = [];
    let next = null;
    do {
      const after = next === null ? "" : `&after=${encodeURIComponent(next)}`;
      const page = await get(`studies?limit=${PAGE}${after}`);
      studies.push(...page.studies);
      next = page.next;
    } while (next !== null && studies.length < wanted);
    return { studies, next };
  }

  const feed = new Feed(load, (data) => { found = data; show(); }, site.failed);
  feed.now();
  const timer = setInterval(() => { if (!document.hidden) feed.touch(); }, POLL);
  return () => { clearInterval(timer); feed.end(); };
}

function row(study) {
  const cell = (label, ...content) => el("td", { "data-label": label }, ...content);
  const rest = study.remaining_samples;
  return el("tr", {},
    el("th", { scope: "row" },
      el("a", { href: `?study=${study.path}`, "data-key": study.path }, study.name),
      el("small", {}, `${plural(study.n_arms, "arm")} into ${plural(study.n_clusters, "cluster")}, δ = ${number(study.delta)}`)),
    cell("State", el("span", { class: `state ${study.state}` }, stateWord(study.state))),
    cell("Progress", el("span", { class: "gauge" },
      el("progress", { max: 1, value: study.progress, "aria-label": `Progress of ${study.name}` }),
      el("span", {}, percent(study.progress)))),
    cell("Remaining", !isRunning(study) ? "–" : rest ? `≈ ${rough(rest.value, "sample")}` : "unknown yet"),
    el("td", { "data-label": "Samples", "data-unit": study.samples === 1 ? "sample" : "samples" },
      count(study.samples)),
    cell("Cost", number(study.cost)),
    cell("Last event", el("time", { datetime: study.last, title: date(study.last) }, fromNow(study.last))));
}
