/* What a study was made with: a line, and what its words mean. */

import { number, plural } from "./format.js";
import { hint, meanings } from "./hints.js";
import { el } from "./dom.js";

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
      ["arms", "What can be sampled; arms whose means lie close together form a cluster."],
      [`δ = ${number(status.delta)}`, "How likely the clusters may be to be wrong when the study is certified."],
      ...(dim > 1 ? [[`d = ${dim}`, `Each sample has ${dim} numbers.`]] : []),
      [samples, "How values are taken to scatter around the mean of their arm."],
      [chosen, `How the study decides: ${algorithm.sampling} chooses the next arm, ${
        algorithm.stopping} says when there are enough samples.`],
    ])));
}

/** "gaussian samples (sigma = 1)" */
function withOptions(what, options) {
  const said = Object.entries(options).map(([key, value]) => `${key} = ${value}`);
  return said.length ? `${what} (${said.join(", ")})` : what;
}
