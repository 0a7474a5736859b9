/* What to do next: why this arm, and the forms to ask and tell. */

import { post, unique } from "./api.js";
import { announce, blame, el, field, hint, recall, remember, replace } from "./dom.js";
import { colour, isRunning, number, vector } from "./format.js";

/** Explanations shorter than this are shown at once. */
const SHORT = 300;

export class Entry {
  constructor(path, site, changed) {
    Object.assign(this, { path, site, changed, held: null, answered: new Set() });
    this.client = recall("client") ?? `${site.who.name ?? "page"}-${unique(2)}`;
    remember("client", this.client);
    this.why = el("p", { class: "why" });
    this.more = el("details", {}, el("summary", {}, "More"), el("p"));
    this.choice = el("div", {}, this.why, this.more);
    this.element = el("section", { class: "card next", "aria-label": "What to do next" },
      el("div", { class: "head" }, el("h2", {}, "Next"), site.may.tell ? hint("What is an ask?",
        "An ask is a request for one sample of one arm: take the ask, sample the arm, and tell the value.") : null),
      this.choice,
      site.may.tell ? this.forms() : null);
  }

  forms() {
    this.button = el("button", { type: "button", class: "primary", onclick: () => this.next() }, "Take the next ask");
    this.problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.done = el("p", { class: "done" });
    this.arm = el("strong", {});
    this.value = valueField();
    this.hint = el("span");
    this.answer = el("form", { class: "answer", hidden: true, onsubmit: (event) => {
      event.preventDefault();
      this.tell(event.submitter?.value !== "only");
    } },
    el("p", {}, "Sample ", this.arm, " and enter the value."),
    field("Value", this.value, this.hint),
    el("div", { class: "buttons" },
      el("button", { class: "primary", value: "next" }, "Tell and take the next"),
      el("button", { value: "only" }, "Tell only")));
    return [this.button, this.answer, this.problem, this.done, this.another(), this.signature()];
  }

  /** The form for an unsolicited value. */
  another() {
    this.choose = el("select", { name: "arm" });
    const value = valueField();
    const problem = el("p", { class: "problem", role: "alert", hidden: true });
    let key = unique();
    const form = el("form", { onsubmit: async (event) => {
      event.preventDefault();
      try {
        await this.send({ arm: Number(this.choose.value), value: this.parsed(value), key });
        const name = this.choose.selectedOptions[0].textContent;
        blame(form, problem, null);
        this.said(`Recorded ${value.value} for ${name}.`);
        value.value = "";
        key = unique();
        value.focus();
      } catch (error) {
        blame(form, problem, error);
      }
    } }, field("Arm", this.choose), field("Value", value), problem,
    el("div", { class: "buttons" }, el("button", {}, "Tell")));
    return el("details", {}, el("summary", {}, "An unsolicited value"), form);
  }

  signature() {
    const name = el("input", { value: this.client, autocomplete: "off", spellcheck: "false", onchange: () => {
      this.client = name.value.trim() || this.client;
      name.value = this.client;
      remember("client", this.client);
    } });
    return el("details", {}, el("summary", {}, "Your name"),
      field("Asks and values are recorded under", name, "Use a name of your own: a name gets its pending asks again."));
  }

  /** Show the present state; keep what the user is typing. */
  show(status, parameters, explain) {
    const running = isRunning(status);
    if (explain) {
      this.why.textContent = explain.arm === null ? "Nothing: this study needs no more samples."
        : status.state === "paused" ? "Nothing until the study is resumed."
          : !running ? "Nothing: this study needs no more samples."
            : `Sample ${explain.name}: ${reason(status, explain)}.`;
      this.more.lastChild.textContent = explain.text;
      this.more.hidden = !running || status.clusters === null; // there is nothing to add yet
      this.opened ??= this.more.open = explain.text.length < SHORT;
    }
    if (!this.site.may.tell) return;
    this.dim = parameters.dim;
    this.clusters = status.arms;
    this.hint.textContent = accepted(parameters);
    if (this.choose.length !== status.arms.length) {
      replace(this.choose, status.arms.map((arm, i) => el("option", { value: i }, arm.name)));
    }
    this.open = status.state === "open";
    if (this.sending) return;
    this.held ??= status.asks.find((one) => one.client === this.client && !this.answered.has(one.id)) ?? null;
    this.showHeld();
  }

  /** An event may answer the ask that is shown here. */
  onEvent({ kind, ask }) {
    if (kind !== "told" || this.held?.id !== ask || this.sending) return;
    this.answered.add(ask);
    this.held = null;
    this.showHeld();
    this.said("The ask was answered elsewhere.");
  }

  showHeld() {
    this.answer.hidden = !this.held;
    this.choice.hidden = Boolean(this.held); // it explains the arm after this one
    this.button.hidden = Boolean(this.held) || !this.open;
    if (!this.held) return;
    this.arm.textContent = this.held.name;
    this.arm.className = colour(this.clusters?.[this.held.arm]?.cluster ?? null);
    this.value.setAttribute("aria-label", `Value of ${this.held.name}`);
  }

  /** Show the form that answers this ask. */
  hold(ask) {
    this.held = ask;
    this.showHeld();
    this.value.focus();
  }

  /** Take an ask: a pending one of this client, or a new one. */
  async next(before = "") {
    try {
      const { asks } = await post(`${this.path}/asks`, { n: 1, client: this.client });
      blame(this.answer, this.problem, null);
      this.hold(asks[0]);
      this.said(`${before} Next: ${this.held.name}.`.trim());
    } catch (error) {
      this.held = null;
      this.showHeld();
      const ended = ["certified", "budget", "stopped"].includes(error.how);
      if (ended) this.said(`${before} ${error.message}.`.trim());
      else blame(this.answer, this.problem, error);
    }
    this.changed();
  }

  async tell(andNext) {
    if (this.sending) return;
    this.sending = true;
    const { held } = this;
    try {
      const value = this.parsed(this.value);
      await this.send({ ask: held.id, value });
      blame(this.answer, this.problem, null);
      this.value.value = "";
      this.answered.add(held.id);
      const recorded = `Recorded ${vector(value)} for ${held.name}.`;
      this.said(recorded);
      if (andNext) await this.next(recorded);
      else {
        this.held = null;
        this.showHeld();
        this.button.focus();
      }
    } catch (error) {
      blame(this.answer, this.problem, error);
      this.value.select();
    } finally {
      this.sending = false;
    }
  }

  send(observation) {
    return post(`${this.path}/observations`, { observations: [observation], client: this.client })
      .then(() => this.changed());
  }

  said(text) {
    this.done.textContent = text;
    announce(text);
  }

  /** The number or numbers in a field. */
  parsed(input) {
    const parts = input.value.trim().split(this.dim > 1 ? /[\s,;]+/ : /\s+/).filter(Boolean);
    const numbers = parts.map(Number);
    const wanted = this.dim > 1 ? `${this.dim} numbers` : "a number, with a decimal point";
    if (numbers.length !== this.dim || !numbers.every(Number.isFinite)) {
      throw Object.assign(new Error(`“${input.value}” is not ${wanted}.`), { argument: "value" });
    }
    return this.dim > 1 ? numbers : numbers[0];
  }
}

const valueField = () => el("input", {
  name: "value", autocomplete: "off", inputmode: "text", enterkeyhint: "done", spellcheck: "false",
});

/** Why this arm. */
function reason(status, explain) {
  return status.clusters === null ? "every arm needs one sample first" : explain.reason;
}

/** What a value must be. */
function accepted({ dim, family }) {
  const what = {
    bernoulli: "0 or 1", poisson: "a count: 0, 1, 2 …", exponential: "a number above 0",
    bounded: `a number from ${number(family.low)} to ${number(family.high)}`,
  }[family.name] ?? "a number";
  return dim === 1 ? `${what}; Enter tells it and takes the next` : `${dim} numbers separated by spaces; Enter tells them and takes the next`;
}
