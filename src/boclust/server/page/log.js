/* The last events, older ones on demand; with a reason, values can be voided and corrected. */

import { get, post } from "./api.js";
import { ask, el, field, hint, replace } from "./dom.js";
import { date, exact, fromNow, vector } from "./format.js";

const LAST = 12;
const PAGE = 50;
/** The largest number of events in the list. */
const MOST = 500;

export class Log {
  constructor(path, site, changed) {
    Object.assign(this, { path, site, changed, events: [], shown: LAST });
    this.list = el("ol", { class: "events", reversed: true });
    this.older = el("button", { type: "button", class: "quiet", onclick: () => this.more() }, "Older events");
    this.element = el("section", { class: "card", "aria-label": "Last events" },
      el("div", { class: "head" }, el("h2", {}, "Last events"),
        hint("What are corrected and voided values?",
          "A corrected value is replaced, a voided value is excluded. Both need a reason, and the clusters are recomputed. No event is ever erased.")),
      this.list, this.older);
  }

  /** Load the last events up to number `last`. */
  async fill(last) {
    this.events = await this.load(Math.max(last - LAST, 0), LAST);
    this.show();
  }

  async load(after, limit) {
    const { events } = await get(`${this.path}/history?after=${after}&limit=${limit}`);
    return events.reverse();
  }

  async more() {
    const first = this.events.at(-1).seq;
    const after = Math.max(first - 1 - PAGE, 0);
    this.events.push(...await this.load(after, first - 1 - after));
    this.shown = Math.min(this.events.length, MOST);
    this.show();
  }

  onEvent(event) {
    if (this.events.length && event.seq <= this.events[0].seq) return;
    this.events.unshift(event);
    this.events.length = Math.min(this.events.length, this.shown);
    this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.show(); });
  }

  show() {
    const revised = new Map();
    for (const event of this.events) if (event.target && !revised.has(event.target)) revised.set(event.target, event.kind);
    replace(this.list, this.events.map((event) => this.row(event, revised.get(event.seq))));
    this.older.hidden = !this.events.length || this.events.at(-1).seq === 1;
  }

  row(event, revision) {
    return el("li", { class: revision ? "revised" : null },
      el("span", { class: "seq" }, `#${event.seq}`),
      el("span", { class: "what", title: event.value === null ? null : exact(event.value) },
        sentence(event), revision ? el("em", {}, ` (${revision})`) : null),
      el("span", { class: "who" }, event.client ? `${event.client}, ` : "",
        el("time", { datetime: event.time, title: date(event.time) }, fromNow(event.time))),
      this.site.may.admin && event.kind === "told" && revision !== "voided" ? el("span", { class: "tools" },
        el("button", { type: "button", class: "quiet", "data-key": `correct ${event.seq}`, "aria-label": `Correct event ${event.seq}`, onclick: () => this.correct(event) }, "Correct"),
        el("button", { type: "button", class: "quiet", "data-key": `void ${event.seq}`, "aria-label": `Void event ${event.seq}`, onclick: () => this.void(event) }, "Void")) : null);
  }

  void(event) {
    ask(`Void event ${event.seq}`, [
      el("p", {}, `${sentence(event)}. The state is recomputed from all other values.`), reason(),
    ], "Void it", (values) => this.send("void", { event: event.seq, reason: values.reason }));
  }

  correct(event) {
    ask(`Correct event ${event.seq}`, [
      el("p", {}, `${sentence(event)}. The state is recomputed with the right value.`),
      field("Right value", el("input", { name: "value", required: true, autocomplete: "off", value: exact(event.value) })),
      reason(),
    ], "Correct it", (values) => {
      const numbers = values.value.trim().split(/[\s,;]+/).map(Number);
      if (!numbers.every(Number.isFinite)) {
        throw Object.assign(new Error(`“${values.value}” is not a number.`), { argument: "value" });
      }
      const value = numbers.length === 1 ? numbers[0] : numbers;
      return this.send("correct", { event: event.seq, value, reason: values.reason });
    });
  }

  async send(what, body) {
    await post(`${this.path}/${what}`, body);
    this.changed();
  }
}

const reason = () => field("Reason", el("input", { name: "reason", required: true, autocomplete: "off" }),
  "The guarantee holds only if the reason does not depend on the value: a broken gauge, not a surprising number.");

/** An event as a sentence. */
function sentence({ kind, arm, value, target, payload }) {
  switch (kind) {
    case "created": return "Study created";
    case "asked": return `Asked for ${arm}`;
    case "told": return `${arm} gave ${vector(value)}`;
    case "voided": return `Voided #${target} of ${arm}: ${payload?.reason}`;
    case "corrected": return `Corrected #${target} of ${arm} to ${vector(value)}: ${payload?.reason}`;
    case "paused": return "Paused";
    case "resumed": return "Resumed";
    case "budget changed": return `Budget: ${limits(payload?.budget)}`;
    case "stopped": return { certified: "Clusters certified", budget: "Budget spent" }[payload?.how] ?? `Stopped: ${payload?.reason}`;
    default: return kind;
  }
}

const limits = ({ samples = null, cost = null } = {}) =>
  [samples === null ? null : `${samples} samples`, cost === null ? null : `cost ${cost}`].filter(Boolean).join(", ") || "no limit";
