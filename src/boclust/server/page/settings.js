/* The settings of a study in one line, and their meanings. */

import { number, plural } from "./format.js";
import { el, hint, meanings } from "./dom.js";

export function settings(status, { algorithm, dim, family: { name, ...shape } }) {
  const samples = withOptions(`${name} samples`, shape);
  const rules = withOptions(`${algorithm.sampling} / ${algorithm.stopping}`, algorithm.options);
  const chosen = algorithm.name ?? rules;
  const facts = [
    `${plural(status.arms.length, "arm")} into ${plural(status.n_clusters, "cluster")}`,
    `error probability δ = ${number(status.delta)}`,
    dim > 1 ? `d = ${dim}` : null,
    samples,
    `algorithm ${chosen}`,
  ].filter(Boolean);
  return el("div", { class: "row facts" }, el("p", {}, facts.join(" · ")),
    hint("What do these settings mean?", meanings([
      ["arms", "The sources of samples; arms whose means are close together form a cluster."],
      [`δ = ${number(status.delta)}`, "The largest probability that certified clusters are wrong."],
      ...(dim > 1 ? [[`d = ${dim}`, `Each sample has ${dim} numbers.`]] : []),
      [samples, "The assumed distribution of values around the mean of their arm."],
      [chosen, `How the study decides: ${algorithm.sampling} chooses the next arm, ${
        algorithm.stopping} decides when to stop.`],
    ])));
}

/** "gaussian samples (sigma = 1)" */
function withOptions(what, options) {
  const listed = Object.entries(options).map(([key, value]) => `${key} = ${value}`);
  return listed.length ? `${what} (${listed.join(", ")})` : what;
}
