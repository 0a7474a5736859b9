/* The form for a new study. */

import { create, unique } from "./api.js";
import { ask, el, field, replace } from "./dom.js";

/** Families and their parameters. */
const FAMILIES = {
  gaussian: ["Gaussian", { sigma: 1 }],
  subgaussian: ["sub-Gaussian", { sigma: 1 }],
  bounded: ["Bounded", { low: 0, high: 1 }],
  bernoulli: ["Bernoulli (0 or 1)", {}],
  poisson: ["Poisson (counts)", {}],
  exponential: ["Exponential (durations)", {}],
};

/** The label of each parameter, and a hint. */
const OPTIONS = {
  sigma: ["Standard deviation σ", "Of one value around the mean of its arm; the largest over the arms."],
  low: ["Lowest value"],
  high: ["Highest value"],
};

const input = (name, attributes) => el("input", { name, autocomplete: "off", ...attributes });
const numeric = (name, value, attributes = {}) =>
  input(name, { type: "number", step: "any", value, ...attributes });

export function createStudy(site) {
  const key = unique();
  const options = el("div", { class: "pair" });
  const family = el("select", { name: "family", onchange: () => showOptions() },
    Object.entries(FAMILIES).map(([value, [text]]) => el("option", { value }, text)));
  const showOptions = () => replace(options,
    Object.entries(FAMILIES[family.value][1]).map(([name, value]) =>
      field(OPTIONS[name][0], numeric(name, value, { required: true }), OPTIONS[name][1])));
  showOptions();
  const fields = [
    field("Name", input("name", { required: true })),
    field("Arms", el("textarea", { name: "arms", rows: 6, required: true, spellcheck: "false" }),
      "The sources to sample: one name per line; optionally a tab or a semicolon and the cost per sample."),
    el("div", { class: "pair" },
      field("Clusters", numeric("n_clusters", "", { step: 1, min: 1, required: true }),
        "The number of groups."),
      field("Error probability δ", numeric("delta", 0.05, { required: true }),
        "The largest acceptable probability of a wrong answer.")),
    el("div", { class: "pair" },
      field("Family", family, "The distribution of the samples."),
      field("Numbers per sample", numeric("dim", 1, { step: 1, min: 1, required: true }),
        "1, or more for vectors.")),
    options,
    el("details", {}, el("summary", {}, "Budget, lease, algorithm"),
      el("div", { class: "pair" },
        field("Largest number of samples", numeric("samples", "", { step: 1, min: 1 })),
        field("Largest total cost", numeric("cost", "", {}))),
      el("div", { class: "pair" },
        field("Lease (minutes)", numeric("lease", 60),
          "The time after which an unanswered ask no longer counts as pending."),
        field("Algorithm", input("algorithm", { value: "span", required: true }),
          "boclust.algorithms() in Python lists all."))),
  ];
  ask("New study", fields, "Create", async (values) => {
    site.go(`?study=${await create(written(values), key)}`);
  });
}

/** The values of the form as the body of a request. */
function written(values) {
  const budget = {};
  for (const limit of ["samples", "cost"]) if (values[limit]) budget[limit] = Number(values[limit]);
  const options = Object.keys(FAMILIES[values.family][1]).map((name) => [name, Number(values[name])]);
  return {
    name: values.name,
    arms: values.arms.split("\n").map((line) => line.trim()).filter(Boolean).map(arm),
    n_clusters: Number(values.n_clusters),
    delta: Number(values.delta),
    dim: Number(values.dim),
    family: { name: values.family, ...Object.fromEntries(options) },
    algorithm: values.algorithm,
    budget: Object.keys(budget).length ? budget : null,
    lease: 60 * Number(values.lease),
  };
}

function arm(line) {
  const [, name, cost] = line.match(/^(.*?)\s*[\t;]\s*([\d.eE+-]+)$/) ?? [null, line, null];
  return cost === null ? name : { name, cost: Number(cost) };
}
