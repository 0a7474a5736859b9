/* The evidence against its threshold over time, and what remains. */

import { bottomAxis, leftAxis, line, px, scale, text } from "./chart.js";
import { svg } from "./dom.js";
import { count, date, isRunning, isNumber, likely, number, rough } from "./format.js";

export const AXES = [["samples", "Samples"], ["cost", "Cost"], ["time", "Time"]];

/** What remains is drawn if it is at most this many times the past. */
const FAR = 8;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export function evidencePicture(trace, status) {
  const known = trace.evidence.map((_, i) => i).filter((i) => isNumber(trace.evidence[i]));
  return {
    draw: known.length ? (width, axis) => draw(trace, known, axis, status, width) : null,
    label: `Evidence and threshold at ${known.length} points; the table below has the numbers.`,
    caption: (axis) => (known.length
      ? `The evidence against all other clusterings; the present clusters are certified when it reaches the threshold (dashed). ${remaining(status, foreseen(trace, known, axis, status))}`
      : "There is no evidence until every arm has a sample (with some algorithms there is none at all)."),
    table: () => [
      ["Samples", "Cost", "Time", "Evidence", "Threshold"],
      trace.evidence.map((evidence, i) => [
        count(trace.samples[i]), number(trace.cost[i]), date(trace.time[i]), number(evidence),
        number(trace.threshold),
      ]),
    ],
  };
}

/** What remains, in words that refer to the figure. */
function remaining(status, drawn) {
  const rest = status.remaining_samples;
  if (!isRunning(status)) return "";
  if (!rest) return "The number of samples still needed is unknown yet.";
  const [line, area] = drawn ? [" (dotted)", " (shaded)"] : ["", ""];
  return `About ${rough(rest.value, "more sample")} at the present pace${line}; ${likely(rest)}${area}.`;
}

/** What remains along an axis, if it is near enough to draw. */
function foreseen(trace, known, axis, status) {
  const rest = { samples: status.remaining_samples, cost: status.remaining_cost }[axis];
  return isRunning(status) && rest?.value > 0 && rest.value < FAR * trace[axis][known.at(-1)] ? rest : null;
}

function draw(trace, known, axis, status, width) {
  const [left, right, top, bottom] = [48, width - 22, 26, 250];
  const at = axis === "time" ? (i) => Date.parse(trace.time[i]) : (i) => trace[axis][i];
  const value = (i) => Math.max(trace.evidence[i], 0);
  const last = known.at(-1);
  const ahead = foreseen(trace, known, axis, status);
  const furthest = ahead && Math.min(ahead.high ?? Infinity, 4 * ahead.value);
  const first = axis === "time" ? at(0) : 0;
  const end = ahead ? at(last) + furthest : at(last);
  const x = scale(first, Math.max(end, first + 1), left, right);
  const highest = known.reduce((most, i) => Math.max(most, value(i)), trace.threshold ?? 0);
  const y = scale(0, highest * 1.08 || 1, bottom, top);
  const long = x.high - x.low > 2 * 86_400_000;
  const format = axis === "time" ? (t) => (long ? day : clock).format(t) : number;
  const node = svg("svg", { width, height: bottom + 40 },
    bottomAxis(x, top, bottom, axis, format), leftAxis(y, left, right, "evidence"));
  if (isNumber(trace.threshold)) {
    const level = y(trace.threshold);
    node.append(line(left, level, right, level, { class: "mark" }),
      text(left + 6, level - 6, `threshold ${number(trace.threshold)}`, { class: "halo" }));
    if (ahead) {
      const [low, middle, high] = [ahead.low, ahead.value, furthest].map((more) => x(at(last) + more));
      const [x0, y0] = [x(at(last)), y(value(last))];
      node.append(
        svg("path", { d: `M${px(x0)} ${px(y0)}L${px(low)} ${px(level)}H${px(high)}Z`, class: "ahead" }),
        line(x0, y0, middle, level, { class: "likely" }),
      );
    }
  }
  const d = known.map((i, n) => `${n ? "L" : "M"}${px(x(at(i)))} ${px(y(value(i)))}`).join("");
  node.append(svg("path", { d, class: "trace" }),
    svg("circle", { cx: px(x(at(last))), cy: px(y(value(last))), r: 4, class: "now" }));
  const points = known.map((i) => ({
    x: x(at(i)), y: y(value(i)),
    words: `evidence ${number(trace.evidence[i])}\n${count(trace.samples[i])} samples, cost ${number(trace.cost[i])}\n${date(trace.time[i])}`,
  }));
  return { node, points };
}
