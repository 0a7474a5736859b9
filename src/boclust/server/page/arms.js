/* The arms as points on a line or in a plane, with confidence regions. */

import { bottomAxis, dot, fitting, leftAxis, line, nameWidth, px, scale, stretched, text, wide }
  from "./chart.js";
import { svg } from "./dom.js";
import { colour, count, number, percent, plural, vector } from "./format.js";

/** With more arms than this, names are not drawn. */
export const MANY = 60;

/** The figure of a study's arms from the server's `picture`. */
export function armsPicture(arms, picture) {
  const onLine = picture.kind === "line";
  const sampled = arms.map((_, i) => i).filter((i) => picture.points[i]);
  const without = arms.length - sampled.length;
  const what = `Dots are estimates; ${onLine ? "bars" : "discs"} are confidence regions`;
  const sure = `which hold for all arms at all times with probability ${number(picture.level)}.`;
  const seen = picture.explained
    ? ` The two principal components of the estimates explain ${percent(picture.explained[0])} and ${
      percent(picture.explained[1])} of the variance between arms.` : "";
  const missing = without ? ` ${plural(without, "arm")} without a sample ${without === 1 ? "is" : "are"} not shown.` : "";
  return {
    draw: sampled.length
      ? (width) => (onLine ? drawLine : drawPlane)(arms, picture, sampled, width) : null,
    label: `Estimates of ${plural(sampled.length, "arm")}; the table below has the numbers.`,
    caption: sampled.length ? `${what}, ${sure}${seen}${missing}` : "No arm has a sample yet.",
    table: () => [
      ["Arm", "Cluster", "Samples", "Estimate", onLine ? "Interval" : "Radius", "Cost", "Tags"],
      arms.map((arm, i) => [
        arm.name, arm.cluster === null ? "–" : String(arm.cluster), count(arm.samples),
        vector(arm.estimate), vector(picture.regions[i]), number(arm.cost), arm.tags.join(", "),
      ]),
    ],
  };
}

const words = (arm, region) => {
  const cluster = arm.cluster === null ? "" : `, cluster ${arm.cluster}`;
  const about = Array.isArray(region) ? ` (${region.map(number).join(" to ")})`
    : region === null ? "" : ` ± ${number(region)}`;
  return `${arm.name}${cluster}\n${vector(arm.estimate)}${about}\n${count(arm.samples)} samples`;
};

/** d = 1: one row per arm, sorted by the estimates. */
function drawLine(arms, { points, regions }, sampled, width) {
  const few = arms.length <= MANY;
  const order = [...sampled].sort((i, j) => points[i][0] - points[j][0]);
  const row = few ? 24 : 440 / order.length;
  const left = few ? nameWidth(arms.map((arm) => arm.name), width) + 8 : 12;
  const edge = few ? 0 : 10; // space for the badges
  const height = row * order.length + 2 * edge;
  const range = stretched(sampled.map((i) => points[i][0]), sampled.flatMap((i) => (regions[i] ? [regions[i]] : [])));
  const x = scale(...range, left, width - 22);
  const inside = (value) => px(x(Math.min(Math.max(value, x.low), x.high)));
  const node = svg("svg", { width, height: height + 44 }, bottomAxis(x, 4, height, "estimate"));
  const found = [];
  const bars = new Map();
  const dots = new Map();
  order.forEach((i, rank) => {
    const y = (rank + 0.5) * row + edge;
    const [arm, c] = [arms[i], colour(arms[i].cluster)];
    const at = x(points[i][0]);
    found.push({ x: at, y, words: words(arm, regions[i]) });
    if (regions[i]) {
      const [low, high] = regions[i].map(inside);
      bars.set(c, `${bars.get(c) ?? ""}M${low} ${px(y)}H${high}`);
    }
    if (few) {
      node.append(text(left - 8, y, fitting(arm.name, left - 8), {
        "text-anchor": "end", "dominant-baseline": "central",
      }));
      dots.set(i, dot(at, y, arm.cluster, c));
    } else {
      dots.set(c, `${dots.get(c) ?? ""}M${px(at)} ${px(y)}h0`);
    }
  });
  for (const [c, d] of bars) node.append(svg("path", { d, class: few ? `bar ${c}` : `band ${c}` }));
  for (const [c, d] of dots) node.append(few ? d : svg("path", { d, class: `speck ${c}` }));
  if (!few) node.append(...badges(arms, found, order, (one) => [one.x - 18, one.y]));
  return { node, points: found };
}

/** d > 1: equal scales in both directions, so that balls appear as discs. */
function drawPlane(arms, { points, regions, kind }, sampled, width) {
  const few = arms.length <= MANY;
  const height = Math.min(Math.max(width * 0.62, 300), 520);
  const [left, right, top, bottom] = [48, width - 22, 26, height - 44];
  const ranges = [0, 1].map((axis) => {
    const at = sampled.map((i) => points[i][axis]);
    return stretched(at, sampled.map((i, n) => [at[n] - regions[i], at[n] + regions[i]]));
  });
  const unit = Math.max(
    (ranges[0][1] - ranges[0][0]) / (right - left), (ranges[1][1] - ranges[1][0]) / (bottom - top),
  );
  const around = ([low, high], room) => {
    const centre = (low + high) / 2;
    return [centre - (unit * room) / 2, centre + (unit * room) / 2];
  };
  const x = scale(...around(ranges[0], right - left), left, right);
  const y = scale(...around(ranges[1], bottom - top), bottom, top);
  const titles = kind === "projection" ? ["first component", "second component"] : ["first coordinate", "second coordinate"];
  const window = svg("svg", {
    role: "none", x: left, y: top, width: right - left, height: bottom - top,
    viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
  });
  const node = svg("svg", { width, height },
    bottomAxis(x, top, bottom, titles[0]), leftAxis(y, left, right, titles[1]), window);
  const found = sampled.map((i) => ({
    x: x(points[i][0]), y: y(points[i][1]), words: words(arms[i], regions[i]),
  }));
  sampled.forEach((i, n) => {
    if (regions[i] !== null) {
      const reach = { cx: px(found[n].x), cy: px(found[n].y), r: px(regions[i] / unit) };
      window.append(svg("circle", { ...reach, class: `disc ${few ? "" : "faint "}${colour(arms[i].cluster)}` }));
    }
  });
  sampled.forEach((i, n) => {
    const [at, c] = [found[n], colour(arms[i].cluster)];
    node.append(few ? dot(at.x, at.y, arms[i].cluster, c)
      : svg("circle", { cx: px(at.x), cy: px(at.y), r: 2.5, class: `fill ${c}` }));
  });
  if (few) node.append(...labels(found, sampled.map((i) => arms[i].name), { left, right, top, bottom }));
  else node.append(...badges(arms, found, sampled, (one) => [one.x, one.y]));
  return { node, points: found };
}

/** Names next to the points, unless they would overlap a point or each other. */
function labels(found, names, { left, right, top, bottom }) {
  const taken = found.map(({ x, y }) => [x - 8, y - 8, x + 8, y + 8]);
  const free = (box) => box[0] >= left && box[2] <= right && box[1] >= top && box[3] <= bottom
    && taken.every((other) =>
      box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
  return found.flatMap(({ x, y }, n) => {
    const name = fitting(names[n], 120);
    const half = wide(name) / 2;
    for (const [dx, dy] of [[11 + half, 0], [-11 - half, 0], [0, -16], [0, 16]]) {
      const box = [x + dx - half, y + dy - 6, x + dx + half, y + dy + 6];
      if (!free(box)) continue;
      taken.push(box);
      return [text(x + dx, y + dy, name, {
        "text-anchor": "middle", "dominant-baseline": "central", class: "halo",
      })];
    }
    return [];
  });
}

/** One badge per cluster with its number, at its most central arm. */
function badges(arms, found, order, place) {
  const members = new Map();
  order.forEach((i, n) => {
    const k = arms[i].cluster;
    if (k !== null) members.set(k, [...(members.get(k) ?? []), found[n]]);
  });
  return [...members].map(([k, own]) => {
    const centre = ["x", "y"].map((axis) => own.reduce((sum, one) => sum + one[axis], 0) / own.length);
    const far = (one) => (one.x - centre[0]) ** 2 + (one.y - centre[1]) ** 2;
    return dot(...place(own.reduce((a, b) => (far(b) < far(a) ? b : a))), k, colour(k));
  });
}
