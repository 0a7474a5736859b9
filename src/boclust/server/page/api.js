/* The server: requests, errors, the stream of events, and data that is reloaded after events. */

/** An error that the server reports, or a missing answer (status 0). */
export class Problem extends Error {
  constructor(status, { title = "The request failed", detail, argument, how } = {}) {
    super(detail ?? title);
    Object.assign(this, { status, argument, how });
  }
}

const address = (path) => new URL(`api/v1/${path}`, document.baseURI);

/** A random key, which makes it safe to send a request twice. */
export const unique = (bytes = 12) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0"))
    .join("");

async function send(method, path, body, key) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let response;
  try {
    response = await fetch(address(path), { method, headers, body: JSON.stringify(body) });
  } catch {
    throw new Problem(0, { title: "The server does not answer. Nothing was lost: try again." });
  }
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new Problem(response.status, answer ?? { title: response.statusText });
  return { answer, place: response.headers.get("Location") };
}

export const get = async (path) => (await send("GET", path)).answer;
export const post = async (path, body = {}) => (await send("POST", path, body)).answer;

/** Create a study, once even if sent twice with the same key; returns its name in links. */
export async function create(body, key) {
  const { place } = await send("POST", "studies", body, key);
  return place.split("/").at(-1);
}

/** The path of a study; `name` is its name or ~NUMBER, from a link that is not trusted. */
export function studyPath(name) {
  if (!name || name.startsWith(".")) return null;
  return `studies/${encodeURIComponent(name)}`;
}

export const exportAddress = (path, format) => address(`${path}/export?format=${format}`).href;

const KINDS = [
  "created", "asked", "told", "voided", "corrected", "paused", "resumed", "budget-changed",
  "stopped",
];

/** The events after number `last` as they happen: calls `onEvent` with each, `onLive` with whether
 *  the stream is connected. The browser reconnects, except after an answer that is not a stream. */
export function stream(path, last, onEvent, onLive) {
  let source = null;
  let timer = null;
  let wait = 1000;

  function open() {
    source = new EventSource(address(`${path}/events?after=${last}`));
    source.onopen = () => { wait = 1000; onLive(true); };
    source.onerror = () => {
      onLive(false);
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, 30_000);
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (message) => {
        const event = JSON.parse(message.data);
        last = event.seq;
        onEvent(event);
      });
    }
  }

  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** The shortest time between two loads of the same data, in milliseconds. */
const PAUSE = 1000;

/** Data that is reloaded after `touch`, but not too often: slow queries are repeated less. */
export class Feed {
  constructor(load, show, fail) {
    Object.assign(this, { load, show, fail, timer: null, busy: false, again: false, ready: 0 });
  }

  /** Reload soon. */
  touch() {
    if (this.busy) { this.again = true; return; }
    this.timer ??= setTimeout(() => this.now(), Math.max(this.ready - performance.now(), 0));
  }

  /** Reload at once. */
  async now() {
    clearTimeout(this.timer);
    this.timer = null;
    this.busy = true;
    this.again = false;
    const begun = performance.now();
    let more = 0;
    try {
      const data = await this.load();
      if (!this.ended) this.show(data);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!this.ended) this.fail(error);
      this.again = [0, 429, 503].includes(error.status);
      more = this.again ? 4000 : 0;
    } finally {
      this.busy = false;
      const now = performance.now();
      this.ready = now + more + Math.max(PAUSE, 4 * (now - begun));
      if (this.again && !this.ended) this.touch();
    }
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
  }
}
