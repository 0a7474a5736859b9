/* A study at a glance: the verdict, the progress, what remains and what was spent. */

import { el, hint } from "./dom.js";
import { capital, count, isRunning, likely, number, percent, plural, rough } from "./format.js";

export function glance(status, explain) {
  return [
    verdict(status), progress(status, explain), isRunning(status) ? remaining(status) : null, spent(status),
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
      "The certificate holds when the evidence reaches its threshold: then the clusters are certified, sampling ends, and the guarantee is shown here."),
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
    row("h2", {}, "Progress", "What is the evidence?",
      "The evidence measures how clearly the samples contradict all other clusterings. It rises and falls; the clusters are certified when it reaches the threshold."),
    el("p", { class: "value" }, percent(status.progress)),
    el("progress", { max: 1, value: status.progress, "aria-label": "Progress to the certificate" }),
    el("p", {}, known ? `Evidence ${Math.max(explain.evidence, 0).toFixed(1)} of ${explain.threshold.toFixed(1)}` : explain ? "No evidence yet" : ""));
}

function remaining({ remaining_samples: rest, remaining_cost: costs, ...status }) {
  return rest ? fact("Remaining", `≈ ${rough(rest.value, "sample")}`,
    likely(rest), hasCosts(status) && costs ? `cost ≈ ${rough(costs.value)}` : null)
    : fact("Remaining", "Unknown yet", "More samples are needed for an estimate.");
}

function spent(status) {
  const { samples, cost, budget } = status;
  return fact("So far", plural(samples, "sample"),
    hasCosts(status) ? `cost ${number(cost)}` : null,
    budget.samples === null ? null : `Budget: ${plural(budget.samples, "sample")}, ${percent(samples / budget.samples)} used.`,
    budget.cost === null ? null : `Budget: cost ${number(budget.cost)}, ${percent(cost / budget.cost)} used.`);
}

/** Whether any arm has another cost than 1. */
const hasCosts = ({ arms }) => arms.some((arm) => arm.cost !== 1);
