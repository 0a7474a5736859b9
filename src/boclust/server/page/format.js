/* Numbers, times and clusters as text. */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 4 });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto", style: "short" });

const STATES = {
  open: "Open", paused: "Paused", certified: "Certified", budget: "Budget spent",
  stopped: "Stopped",
};

/** The number of cluster colours in style.css. */
const COLOURS = 6;

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** An integer with thousands separators. */
export const count = (value) => whole.format(value);

/** A number with four significant digits. */
export function number(value) {
  if (!isNumber(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(2);
  return (size >= 1000 ? whole : plain).format(value);
}

/** A sample or an estimate: one or several numbers. */
export const vector = (value) =>
  value === null || value === undefined ? "–" : [value].flat().map(number).join(", ");

/** A value with 12 digits, without binary rounding noise. */
export const exact = (value) => [value].flat().map((one) => String(Number(one.toPrecision(12)))).join(", ");

export const percent = (share) =>
  `${share > 0 && share < 0.1 ? (100 * share).toFixed(1) : Math.floor(100 * share + 1e-9)} %`;

export const plural = (n, word, words = `${word}s`) => `${count(n)} ${n === 1 ? word : words}`;

export const date = (iso) => moment.format(new Date(iso));

/** A time relative to now: "3 min ago", "in 1 hr". */
export function fromNow(iso) {
  const seconds = (new Date(iso) - Date.now()) / 1000;
  for (const [unit, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "now" : relative.format(Math.trunc(seconds), "second");
}

/** Whether a study has not ended. */
export const isRunning = ({ state }) => state === "open" || state === "paused";

export const stateWord = (state) => STATES[state] ?? state;

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The class that gives the colour of a cluster. */
export const colour = (cluster) => (cluster === null || cluster < 0 ? "none" : `c${cluster % COLOURS}`);

/** An estimate with two digits, of a number or of things. */
export function rough(value, word) {
  const unit = 10 ** Math.max(Math.floor(Math.log10(value)) - 1, 0);
  const about = Math.round(value / unit) * unit;
  return word ? plural(about, word) : count(about);
}

/** The likely range of an estimate; it may have no upper end. */
export const likely = ({ low, high }) =>
  (isNumber(high) ? `probably ${rough(low)} to ${rough(high)}` : "the upper limit is unknown yet");

/** A duration in minutes, from seconds. */
export const minutes = (seconds) => `${number(seconds / 60)} ${seconds === 60 ? "minute" : "minutes"}`;
