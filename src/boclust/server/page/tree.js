/* The single-linkage tree of the estimates: which arms join at which distance. */

import { bottomAxis, fitting, line, nameWidth, px, scale, text } from "./chart.js";
import { MANY } from "./arms.js";
import { svg } from "./dom.js";
import { colour, count, number } from "./format.js";

export function treePicture(arms, tree, nClusters) {
  if (!tree) return { caption: "There is no tree until every arm has a sample." };
  const cutAt = tree.cut === null ? "" : ` The cut at ${number(tree.cut)} (dashed) gives ${count(nClusters)} clusters.`;
  return {
    draw: (width) => draw(arms, tree, width),
    label: `Tree of ${arms.length} arms by single linkage; the table below has the distances.`,
    caption: `Arms, and groups of them, join at the distance between their nearest estimates.${cutAt}`,
    table: () => {
      const names = arms.map((arm) => arm.name);
      const name = (node) => names[node] ?? `join ${node - arms.length + 1}`;
      return [
        ["Join", "One", "Other", "Distance", "Arms"],
        tree.merges.map(([one, two, height, size], i) =>
          [String(i + 1), name(one), name(two), number(height), count(size)]),
      ];
    },
  };
}

function draw(arms, { order, merges, cut }, width) {
  const few = arms.length <= MANY;
  const row = few ? 22 : 480 / arms.length;
  const left = few ? nameWidth(arms.map((arm) => arm.name), width) + 22 : 12;
  const height = row * arms.length;
  const top = merges.reduce((most, merge) => Math.max(most, merge[2]), 0);
  const x = scale(0, top * 1.04 || 1, left, width - 22);
  const node = svg("svg", { width, height: height + 44 }, bottomAxis(x, 4, height, "distance"));
  const nodes = arms.map((arm) => ({ height: 0, cluster: arm.cluster }));
  order.forEach((i, rank) => { nodes[i].y = (rank + 0.5) * row; });
  const branches = new Map();
  for (const [a, b, far] of merges) {
    const [one, two] = [nodes[a], nodes[b]];
    const cluster = one.cluster === two.cluster ? one.cluster : -1;
    nodes.push({ height: far, cluster, y: (one.y + two.y) / 2 });
    const path = `M${px(x(one.height))} ${px(one.y)}H${px(x(far))}V${px(two.y)}H${px(x(two.height))}`;
    branches.set(colour(cluster), `${branches.get(colour(cluster)) ?? ""}${path}`);
  }
  for (const [c, d] of branches) node.append(svg("path", { d, class: `branch ${few ? "" : "thin "}${c}` }));
  if (cut !== null) node.append(line(x(cut), 0, x(cut), height, { class: "mark" }));
  const found = nodes.map(({ height: far, y }, i) => ({
    x: x(far), y,
    words: i < arms.length ? arms[i].name : `${count(merges[i - arms.length][3])} arms join at ${number(far)}`,
  }));
  if (few) {
    arms.forEach((arm, i) => {
      node.append(
        text(left - 22, nodes[i].y, fitting(arm.name, left - 22), {
          "text-anchor": "end", "dominant-baseline": "central",
        }),
        svg("g", { class: `dot ${colour(arm.cluster)}` },
          svg("rect", { x: px(left - 17), y: px(nodes[i].y - 7), width: 14, height: 14, rx: 3 }),
          text(left - 10, nodes[i].y, String(arm.cluster ?? ""), {
            "text-anchor": "middle", "dominant-baseline": "central", class: "ink",
          })),
      );
    });
  }
  return { node, points: found };
}
