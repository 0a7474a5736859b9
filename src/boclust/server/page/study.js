/* The page of one study: its clusters, the certificate, figures, what to do next, events. */

import { armsPicture } from "./arms.js";
import { exportAddress, Feed, get, post, stream } from "./api.js";
import { Figure } from "./chart.js";
import { announce, ask, el, field, hint, replace } from "./dom.js";
import { Entry } from "./entry.js";
import { AXES, evidencePicture } from "./evidence.js";
import { colour, count, date, fromNow, isRunning, minutes, number, plural, stateWord } from "./format.js";
import { glance } from "./glance.js";
import { Log } from "./log.js";
import { pullsPicture } from "./pulls.js";
import { settings } from "./settings.js";
import { treePicture } from "./tree.js";

/** The number of names shown at first: of all clusters together, and at least per cluster. */
const [SHOWN, LEAST] = [72, 6];
/** The largest number of asks in the list. */
const MOST_ASKS = 20;

export function studyPage(main, path, site) {
  const page = new Page(main, path, site);
  return () => page.close();
}

class Page {
  constructor(main, path, site) {
    Object.assign(this, { path, site, data: {}, opened: new Set() });
    const file = (what) => () => `${this.status.name.replace(/[^\p{L}\p{N}._-]+/gu, "-")}-${what}`;
    this.figures = {
      arms: new Figure("Arms", file("arms")),
      evidence: new Figure("Evidence", file("evidence"), AXES),
      tree: new Figure("Tree", file("tree")),
      pulls: new Figure("Samples per arm", file("samples")),
    };
    this.head = el("div", { class: "top" });
    this.trouble = el("p", { class: "problem", role: "alert", hidden: true });
    this.refusal = el("p", { class: "problem", role: "alert", hidden: true });
    this.glance = el("section", { class: "card glance", "aria-label": "At a glance" }, "Loading…");
    this.clusters = el("section", { class: "card", "aria-label": "Clusters" });
    this.waiting = el("section", { class: "card", "aria-label": "Pending asks" });
    this.entry = new Entry(path, site, () => this.touch());
    this.log = new Log(path, site, () => this.touch());
    const { arms, evidence, tree, pulls } = this.figures;
    replace(main, this.head, this.trouble, this.refusal, this.glance, el("div", { class: "columns" },
      el("div", { class: "wide" }, this.clusters,
        el("div", { class: "stack" }, arms.element, pulls.element),
        el("div", { class: "stack" }, evidence.element, tree.element)),
      el("div", { class: "side" }, this.entry.element, this.waiting, this.log.element)));
    main.setAttribute("aria-busy", "true");

    const feed = (what, show) => new Feed(
      () => get(`${path}${what}`), show, (error) => this.fail(error));
    this.feeds = [
      feed("", (data) => this.showStatus(data)),
      ...["explain", "trace", "picture", "proportions"].map((what) => feed(`/${what}`, (data) => {
        this.data[what] = data;
        this.show();
      })),
    ];
    this.watch = () => (document.hidden ? this.rest() : this.begin());
    document.addEventListener("visibilitychange", this.watch);
    this.begin().then(() => main.removeAttribute("aria-busy"));
    this.timer = setInterval(() => { if (!document.hidden) this.feeds[0].touch(); }, 60_000);
  }

  get status() { return this.data.status; }

  /** Load everything, then follow the events after the last one that the status counts. */
  async begin() {
    const [status] = this.feeds.map((feed) => feed.now());
    await status;
    if (this.closed || !this.status) return;
    await this.log.fill(this.status.events).catch((error) => this.fail(error));
    if (this.closed || document.hidden) return;
    this.rest();
    this.unsubscribe = stream(this.path, this.status.events, (event) => {
      this.log.onEvent(event);
      this.entry.onEvent(event);
      this.touch();
    }, (live) => {
      this.showLive(live);
      this.touch(); // load what was missed, or find out that the token is no longer valid
    });
  }

  /** Close the stream of a hidden tab: a browser allows few connections to one server. */
  rest() {
    this.unsubscribe?.();
    this.unsubscribe = null;
  }

  /** Reload everything soon. */
  touch() {
    for (const feed of this.feeds) feed.touch();
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.watch);
    this.rest();
    for (const feed of this.feeds) feed.end();
  }

  fail(error) {
    if (this.closed) return;
    if ([401, 404].includes(error.status) || !this.status) {
      this.close();
      this.site.failed(error);
    } else {
      this.showLive(false, error.message);
    }
  }

  showLive(live, why = "The connection was lost. This page may be out of date; trying again…") {
    this.trouble.hidden = live;
    this.trouble.textContent = live ? "" : why;
  }

  showStatus({ status, parameters }) {
    const before = this.status;
    Object.assign(this.data, { status, parameters });
    this.trouble.hidden = true;
    if (before && before.state !== status.state) announce(`${status.name}: ${stateWord(status.state)}.`);
    else if (before && JSON.stringify(before.clusters) !== JSON.stringify(status.clusters)) {
      announce(`The clusters changed. ${inWords(status.clusters)}`);
    }
    document.title = `${status.name} – ${stateWord(status.state)} – boclust`;
    this.show();
  }

  /** Draw everything in the next frame. */
  show() {
    this.drawing ??= requestAnimationFrame(() => { this.drawing = null; this.draw(); });
  }

  draw() {
    const { status, parameters, explain, trace, picture, proportions } = this.data;
    if (!status || this.closed) return;
    this.showHead(status, parameters);
    replace(this.glance, glance(status, explain));
    this.showClusters(status);
    this.showWaiting(status, parameters);
    this.entry.show(status, parameters, explain);
    const { figures } = this;
    if (trace) figures.evidence.show(evidencePicture(trace, status));
    // the arms of a study never change
    if (picture) {
      figures.arms.show(armsPicture(status.arms, picture));
      figures.tree.show(treePicture(status.arms, picture.dendrogram, status.n_clusters));
    }
    figures.pulls.show(pullsPicture(status.arms, proportions));
  }

  showHead(status, parameters) {
    replace(this.head,
      el("div", {},
        el("h1", {}, status.name, " ", el("span", { class: `state ${status.state}` }, stateWord(status.state))),
        settings(status, parameters)),
      el("div", { class: "buttons" }, this.actions(status),
        ["csv", "parquet"].map((format) => el("a", {
          class: "button", href: exportAddress(this.path, format), download: "", "data-key": format,
        }, `Export ${format === "csv" ? "CSV" : "Parquet"}`))));
  }

  /** The actions that this role may take in this state. */
  actions({ state, budget, cost }) {
    if (!this.site.may.admin) return [];
    const button = (text, onclick) => el("button", { type: "button", "data-key": text, onclick }, text);
    const send = (what, body) => post(`${this.path}/${what}`, body).then(() => this.touch());
    const quickly = (what) => () => send(what, { client: this.entry.client })
      .then(() => { this.refusal.hidden = true; }, (error) => {
        this.refusal.textContent = error.message;
        this.refusal.hidden = false;
      });
    const limit = (name, value, step) => el("input", { name, type: "number", min: 0, step, value });
    return [
      state === "open" ? button("Pause", quickly("pause")) : null,
      state === "paused" ? button("Resume", quickly("resume")) : null,
      state !== "stopped" && state !== "certified" ? button("Budget…", () => ask("Budget", [
        el("p", {}, `Cost so far: ${number(cost)}. Leave a field empty for no limit.`),
        field("Largest number of samples", limit("samples", budget.samples ?? "", 1)),
        field("Largest total cost", limit("cost", budget.cost ?? "", "any")),
      ], "Set the budget", ({ samples, cost: most }) => send("budget", {
        samples: samples ? Number(samples) : null, cost: most ? Number(most) : null,
      }))) : null,
      isRunning({ state }) ? button("Stop…", () => ask("Stop this study", [
        el("p", {}, "The study ends for good, without a certificate. It still accepts values."),
        field("Reason", el("input", { name: "reason", required: true, autocomplete: "off" })),
      ], "Stop it", ({ reason }) => send("stop", { reason }))) : null,
    ];
  }

  showClusters({ clusters, state, arms }) {
    const title = state === "certified" ? "Clusters, certified" : "Clusters at present";
    const without = arms.filter((arm) => arm.samples === 0).length;
    replace(this.clusters, el("div", { class: "head" }, el("h2", {}, title)), clusters
      ? el("ol", { class: "clusters" }, clusters.map((names, k) => this.cluster(names, k)))
      : el("p", { class: "empty" }, `There are no clusters until every arm has a sample: ${plural(without, "arm")} ${without === 1 ? "has" : "have"} none.`));
  }

  cluster(names, k) {
    const few = Math.max(Math.floor(SHOWN / this.status.n_clusters), LEAST);
    const all = names.length <= few || this.opened.has(k);
    const toggle = () => {
      this.opened.has(k) ? this.opened.delete(k) : this.opened.add(k);
      this.showClusters(this.status);
    };
    return el("li", { class: colour(k) },
      el("span", { class: "badge", "aria-hidden": "true" }, String(k)),
      el("span", { class: "unseen" }, `Cluster ${k}: `),
      el("ul", {}, (all ? names : names.slice(0, few)).map((name) => el("li", {}, name)),
        names.length > few ? el("li", { class: "more" }, el("button", {
          type: "button", class: "quiet", "aria-expanded": String(all), "data-key": `cluster ${k}`, onclick: toggle,
        }, all ? "Show fewer" : `and ${count(names.length - few)} more`)) : null),
      el("span", { class: "size" }, plural(names.length, "arm")));
  }

  showWaiting({ asks }, { lease }) {
    this.waiting.hidden = !asks.length;
    const shown = asks.slice(0, MOST_ASKS);
    replace(this.waiting,
      el("div", { class: "head" }, el("h2", {}, `Pending asks (${count(asks.length)})`),
        hint("What are pending asks?", `Asks without a value. For ${
          minutes(lease)}, the lease, a pending ask counts as a sample in the choice of others. A later value is still recorded.`)),
      el("ul", { class: "asks" }, shown.map((one) => el("li", {},
        el("strong", {}, one.name),
        el("span", {}, one.client ?? "anonymous"),
        el("time", { datetime: one.until, title: `pending until ${date(one.until)}` }, `expires ${fromNow(one.until)}`),
        this.site.may.tell ? el("button", {
          type: "button", class: "quiet", "data-key": one.id, "aria-label": `Tell the value of ${one.name}`,
          onclick: () => this.entry.hold(one),
        }, "Tell") : null))),
      asks.length > shown.length ? el("p", {}, `and ${count(asks.length - shown.length)} more`) : null);
  }
}

/** The clusters for screen readers; large ones by their size. */
const inWords = (clusters) => (clusters ?? []).map((names, k) =>
  `Cluster ${k}: ${names.length > 10 ? plural(names.length, "arm") : names.join(", ")}.`).join(" ");
