/* Numbers, times and clusters in words. */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 4 });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto", style: "short" });

const STATES = {
  open: "Open", paused: "Paused", certified: "Certified", budget: "Budget spent",
  stopped: "Stopped",
};

/** Colours of clusters: style.css has as many. */
const COLOURS = 6;

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** A whole number with thousands apart. */
export const count = (value) => whole.format(value);

/** Any number, to four digits. */
export function number(value) {
  if (!isNumber(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(2);
  return (size >= 1000 ? whole : plain).format(value);
}

/** A sample or an estimate: a number, or several. */
export const vector = (value) =>
  value === null || value === undefined ? "–" : [value].flat().map(number).join(", ");

/** A value as it was told, without the noise of binary fractions. */
export const exact = (value) => [value].flat().map((one) => String(Number(one.toPrecision(12)))).join(", ");

export const percent = (share) =>
  `${share > 0 && share < 0.1 ? (100 * share).toFixed(1) : Math.floor(100 * share + 1e-9)} %`;

export const plural = (n, word, words = `${word}s`) => `${count(n)} ${n === 1 ? word : words}`;

export const date = (iso) => moment.format(new Date(iso));

/** A time as seen from now: "3 min ago", "in 1 hr". */
export function fromNow(iso) {
  const seconds = (new Date(iso) - Date.now()) / 1000;
  for (const [unit, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "now" : relative.format(Math.trunc(seconds), "second");
}

/** Whether a study has not ended. */
export const goesOn = ({ state }) => state === "open" || state === "paused";

export const stateWord = (state) => STATES[state] ?? state;

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The class that gives the colour of a cluster. */
export const colour = (cluster) => (cluster === null || cluster < 0 ? "none" : `c${cluster % COLOURS}`);

/** An estimate, to two digits, of so many things (or of a number). */
export function rough(value, word) {
  const unit = 10 ** Math.max(Math.floor(Math.log10(value)) - 1, 0);
  const about = Math.round(value / unit) * unit;
  return word ? plural(about, word) : count(about);
}

/** Where an estimate is likely to lie; it may have no upper end. */
export const likely = ({ low, high }) =>
  (isNumber(high) ? `${rough(low)} to ${rough(high)} are likely` : "no upper limit can be given yet");

/** A length of time, given in seconds. */
export const minutes = (seconds) => `${number(seconds / 60)} ${seconds === 60 ? "minute" : "minutes"}`;
