/* The share of each arm in the samples, and its optimal share. */

import { bottomAxis, fitting, leftAxis, line, nameWidth, px, scale, text } from "./chart.js";
import { MANY } from "./arms.js";
import { svg } from "./dom.js";
import { colour, count, percent } from "./format.js";

/** The figure of the server's `proportions`, undefined until they are computed. */
export function pullsPicture(arms, { optimal, reason } = { reason: "being computed" }) {
  const all = arms.reduce((sum, arm) => sum + arm.samples, 0);
  const pulls = arms.map((arm) => arm.samples / Math.max(all, 1));
  const best = optimal ? " Marks: the shares that need the fewest samples if the estimates are true."
    : reason ? ` Optimal shares: ${reason}.` : "";
  return {
    draw: all ? (width) => (arms.length <= MANY ? drawRows : drawMany)(arms, pulls, optimal, width) : null,
    label: `Shares of ${arms.length} arms in the samples; the table below has the numbers.`,
    caption: `${all ? "Bars: the shares of the samples so far." : "No arm has a sample yet."}${best}`,
    table: () => [
      ["Arm", "Samples", "Share", "Optimal"],
      arms.map((arm, i) => [
        arm.name, count(arm.samples), percent(pulls[i]), optimal ? percent(optimal[i]) : "–",
      ]),
    ],
  };
}

const words = (arm, share, best) =>
  `${arm.name}\n${count(arm.samples)} samples, ${percent(share)}${best === undefined ? "" : `\noptimal ${percent(best)}`}`;

function drawRows(arms, pulls, optimal, width) {
  const row = 22;
  const left = nameWidth(arms.map((arm) => arm.name), width) + 8;
  const height = row * arms.length;
  const x = scale(0, Math.max(...pulls, ...(optimal ?? [])) * 1.05, left, width - 22);
  const node = svg("svg", { width, height: height + 44 }, bottomAxis(x, 4, height, "share of samples", percent));
  const points = arms.map((arm, i) => {
    const y = (i + 0.5) * row;
    node.append(
      text(left - 8, y, fitting(arm.name, left - 8), { "text-anchor": "end", "dominant-baseline": "central" }),
      svg("rect", {
        x: px(left), y: px(y - 6), width: px(Math.max(x(pulls[i]) - left, 0)), height: 12, rx: 2,
        class: `fill ${colour(arm.cluster)}`,
      }),
    );
    if (optimal) node.append(line(x(optimal[i]), y - 9, x(optimal[i]), y + 9, { class: "optimum" }));
    return { x: x(pulls[i]), y, words: words(arm, pulls[i], optimal?.[i]) };
  });
  return { node, points };
}

/** Many arms: thin bars, by cluster, most sampled first. */
function drawMany(arms, pulls, optimal, width) {
  const [left, right, top, bottom] = [48, width - 12, 26, 240];
  const order = arms.map((_, i) => i).sort((i, j) =>
    (arms[i].cluster ?? 0) - (arms[j].cluster ?? 0) || pulls[j] - pulls[i]);
  const x = scale(0, order.length, left, right);
  const y = scale(0, pulls.reduce((a, b) => Math.max(a, b)) * 1.05, bottom, top);
  const node = svg("svg", { width, height: bottom + 24 }, leftAxis(y, left, right, "share of samples", (v) => `${+(100 * v).toPrecision(3)} %`),
    text(right, bottom + 16, "arms by cluster, most sampled first", { "text-anchor": "end", class: "title axis" }));
  const bars = new Map();
  const points = order.map((i, n) => {
    const [c, at] = [colour(arms[i].cluster), px(x(n + 0.5))];
    bars.set(c, `${bars.get(c) ?? ""}M${at} ${bottom}V${px(y(pulls[i]))}`);
    return { x: at, y: y(pulls[i]), words: words(arms[i], pulls[i]) };
  });
  for (const [c, d] of bars) {
    const path = svg("path", { d, class: `stem ${c}` });
    path.style.strokeWidth = `${Math.max((right - left) / order.length, 0.6)}px`;
    node.append(path);
  }
  return { node, points };
}
