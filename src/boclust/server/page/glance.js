/* A study at a glance: its verdict, how far it is, what is left and what was spent. */

import { el } from "./dom.js";
import { capital, count, goesOn, likely, number, percent, plural, rough } from "./format.js";
import { hint } from "./hints.js";

export function glance(status, explain) {
  return [
    verdict(status), progress(status, explain), goesOn(status) ? needed(status) : null, spent(status),
  ];
}

const row = (tag, attributes, text, question, answer) =>
  el("div", { class: "row" }, el(tag, attributes, text), hint(question, answer));

const fact = (title, value, ...more) => el("div", { class: "fact" },
  el("h2", {}, title), el("p", { class: "value" }, value),
  more.filter(Boolean).map((text) => el("p", {}, text)));

function verdict(status) {
  return el("div", { class: `verdict ${status.state}` },
    row("p", { class: "value" }, headline(status), "What is the certificate?",
      "The certificate says that there are enough samples: then the clusters are certified, sampling ends, and what is guaranteed stands here."),
    el("p", {}, guaranteed(status.guarantee)),
    status.notes.map((note) => el("p", { class: "note" }, `${capital(note)}.`)));
}

function headline({ state, arms, clusters }) {
  const sampled = arms.filter((arm) => arm.samples > 0).length;
  if (state === "certified") return "The clusters are certified";
  if (state === "stopped") return "Stopped by hand, without a certificate";
  if (state === "budget") return "The budget is spent, without a certificate";
  if (!clusters) return `${count(sampled)} of ${plural(arms.length, "arm")} sampled`;
  return state === "paused" ? "Paused" : "Not certain yet";
}

/** The guarantee as a sentence. */
const guaranteed = (text) => (text.startsWith("none: ") ? `No guarantee: ${text.slice(6)}.`
  : `Guarantee: ${text}.`);

function progress(status, explain) {
  const known = explain && explain.evidence !== null && explain.threshold !== null;
  return el("div", { class: "fact" },
    row("h2", {}, "How far", "What is the evidence?",
      "The evidence is how clearly the samples speak against all other clusters: it rises and falls, and is enough at the threshold."),
    el("p", { class: "value" }, percent(status.progress)),
    el("progress", { max: 1, value: status.progress, "aria-label": "Progress to the certificate" }),
    el("p", {}, known ? `Evidence ${Math.max(explain.evidence, 0).toFixed(1)} of ${explain.threshold.toFixed(1)}` : explain ? "No evidence yet" : ""));
}

function needed({ remaining_samples: rest, remaining_cost: costs, ...status }) {
  return rest ? fact("Still needed", `≈ ${rough(rest.value, "sample")}`,
    likely(rest), counts(status) && costs ? `cost ≈ ${rough(costs.value)}` : null)
    : fact("Still needed", "Not known yet", "There is too little to go by.");
}

function spent(status) {
  const { samples, cost, budget } = status;
  return fact("So far", plural(samples, "sample"),
    counts(status) ? `cost ${number(cost)}` : null,
    budget.samples === null ? null : `Budget: ${plural(budget.samples, "sample")}, ${percent(samples / budget.samples)} used.`,
    budget.cost === null ? null : `Budget: cost ${number(budget.cost)}, ${percent(cost / budget.cost)} used.`);
}

/** Whether costs are more than a count of the samples. */
const counts = ({ arms }) => arms.some((arm) => arm.cost !== 1);
