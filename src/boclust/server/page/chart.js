/* What all figures share: scales, axes, a card with a table, and downloads. */

import { choice, el, replace, svg, table } from "./dom.js";
import { isNumber, number } from "./format.js";

/** A linear scale from numbers to pixels. */
export function scale(low, high, from, to) {
  const span = high - low || 1;
  const place = (value) => from + ((value - low) / span) * (to - from);
  return Object.assign(place, { low, high });
}

/** About n round numbers between low and high. */
function ticks(low, high, n) {
  const raw = (high - low) / Math.max(n, 1);
  if (!(raw > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * [1, 2, 5, 10].find((factor) => factor * unit >= raw);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Round to a tenth of a pixel. */
export const px = (value) => Math.round(10 * value) / 10;

export const text = (x, y, words, attributes = {}) =>
  svg("text", { x: px(x), y: px(y), ...attributes }, words);

export const line = (x1, y1, x2, y2, attributes = {}) =>
  svg("line", { x1: px(x1), y1: px(y1), x2: px(x2), y2: px(y2), ...attributes });

/** A horizontal axis below a plot, with grid lines and a title at its right end. */
export function bottomAxis(x, top, bottom, title, format = number) {
  const [from, to] = [x(x.low), x(x.high)];
  const parts = ticks(x.low, x.high, Math.max((to - from) / 70, 2)).map((value) => [
    line(x(value), top, x(value), bottom, { class: "grid" }),
    text(x(value), bottom + 16, format(value), { "text-anchor": "middle" }),
  ]);
  return svg("g", { class: "axis" }, parts.flat(),
    text(to, bottom + 32, title, { "text-anchor": "end", class: "title" }));
}

/** A vertical axis left of a plot, with grid lines and a title above. */
export function leftAxis(y, left, right, title, format = number) {
  const [from, to] = [y(y.low), y(y.high)];
  const parts = ticks(y.low, y.high, Math.max((from - to) / 55, 2)).map((value) => [
    line(left, y(value), right, y(value), { class: "grid" }),
    text(left - 6, y(value), format(value), { "text-anchor": "end", "dominant-baseline": "central" }),
  ]);
  return svg("g", { class: "axis" }, parts.flat(),
    text(0, to - 14, title, { class: "title" }));
}

/** A dot with the colour and the number of its cluster. */
export function dot(x, y, cluster, colour) {
  return svg("g", { class: `dot ${colour}` },
    svg("circle", { cx: px(x), cy: px(y), r: 8 }),
    cluster === null ? null : text(x, y, String(cluster), {
      "text-anchor": "middle", "dominant-baseline": "central", class: "ink",
    }));
}

const ruler = el("canvas").getContext("2d");
ruler.font = "12px system-ui, sans-serif";

/** The width of a text in a figure. */
export const wide = (words) => Math.ceil(ruler.measureText(words).width) + 2;

/** A name, shortened to fit. */
export function fitting(name, width) {
  if (wide(name) <= width) return name;
  let letters = Math.min(name.length, Math.ceil(width / 3));
  while (letters > 1 && wide(`${name.slice(0, letters)}…`) > width) letters -= 1;
  return `${name.slice(0, letters)}…`;
}

/** The width of the names at the left of rows. */
export const nameWidth = (names, width) => Math.min(Math.max(...names.map(wide)), width * 0.3);

/** The smallest interval with all numbers, with a margin. */
function extent(values, margin = 0.04) {
  const known = values.filter(isNumber);
  if (!known.length) return [0, 1];
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const room = (high - low) * margin || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

/** The range of a plot of points with regions: wide regions may extend it by at most the range of
 *  the points, or the width of the smallest region. */
export function stretched(points, regions) {
  const [low, high] = extent(points);
  const [far, further] = extent(regions.flat());
  const most = regions.reduce((least, one) => Math.min(least, one[1] - one[0]), Infinity);
  const room = Math.max(high - low, Number.isFinite(most) ? most : 0);
  return [Math.max(Math.min(far, low), low - room), Math.min(Math.max(further, high), high + room)];
}

/** A card with a figure, its caption, its numbers as a table, and downloads. */
export class Figure {
  /** `options`: [value, text] pairs to choose from. */
  constructor(title, file, options = null) {
    this.title = title;
    this.file = file;
    this.chosen = options?.[0][0];
    this.plot = el("div", { class: "plot" });
    this.tip = el("div", { class: "tip", hidden: true });
    this.caption = el("figcaption", {});
    this.rows = el("div", { class: "rows" });
    this.details = el("details", { ontoggle: () => this.fillTable() },
      el("summary", {}, "As a table"), this.rows);
    const save = (kind) => el("button", {
      type: "button", class: "quiet", "aria-label": `Save ${title} as ${kind.toUpperCase()}`,
      onclick: () => this.save(kind),
    }, kind.toUpperCase());
    const head = el("div", { class: "head" }, el("h2", {}, title),
      options ? choice(`${title}: against`, options, this.chosen, (value) => {
        this.chosen = value;
        this.redraw();
      }) : null,
      el("span", { class: "tools" }, save("svg"), save("png")));
    this.element = el("section", { class: "card", "aria-label": title }, head,
      el("figure", {}, this.plot, this.tip, this.caption), this.details);
    this.plot.addEventListener("pointermove", (event) => this.point(event));
    this.plot.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    new ResizeObserver(() => {
      if (this.plot.clientWidth !== this.width) this.redraw();
    }).observe(this.plot);
  }

  /** `picture`: draw(width, chosen) -> {node, points}, label, caption (or caption(chosen)),
   *  table() -> [headings, rows]. Without draw, only the caption is shown. */
  show(picture) {
    this.picture = picture;
    this.redraw();
    this.fillTable();
  }

  redraw() {
    const { draw, label, caption } = this.picture ?? {};
    this.width = this.plot.clientWidth;
    if (!this.picture || !this.width) return;
    const drawn = draw?.(this.width, this.chosen);
    this.points = drawn?.points ?? [];
    if (drawn) {
      drawn.node.setAttribute("role", "img");
      drawn.node.setAttribute("aria-label", label);
    }
    this.tip.hidden = true;
    replace(this.plot, drawn ? [drawn.node] : []);
    replace(this.caption, typeof caption === "function" ? caption(this.chosen) : caption);
    this.element.classList.toggle("bare", !drawn);
  }

  fillTable() {
    const rows = this.details.open ? this.picture?.table?.() : null;
    replace(this.rows, rows ? table(...rows) : []);
  }

  /** Show the text of the point nearest to the pointer. */
  point(event) {
    const box = this.plot.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null;
    let least = 30 ** 2;
    for (const one of this.points ?? []) {
      const far = (one.x - x) ** 2 + (one.y - y) ** 2;
      if (far < least) [best, least] = [one, far];
    }
    this.tip.hidden = !best;
    if (!best) return;
    this.tip.textContent = best.words;
    const { offsetLeft, offsetTop } = this.plot;
    const room = box.width - this.tip.offsetWidth;
    this.tip.style.left = `${offsetLeft + Math.max(Math.min(best.x + 12, room), 0)}px`;
    this.tip.style.top = `${offsetTop + Math.max(best.y - this.tip.offsetHeight - 8, 0)}px`;
  }

  async save(kind) {
    const node = this.plot.querySelector("svg");
    if (!node) return;
    const drawing = new Blob([standalone(node)], { type: "image/svg+xml" });
    keep(kind === "svg" ? drawing : await painted(drawing, node), `${this.file()}.${kind}`);
  }
}

const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
  "stroke-linecap", "stroke-linejoin", "paint-order", "opacity", "font-family", "font-size",
  "font-weight",
];

/** The figure as a standalone file, with the styles of the style sheet written into it. */
function standalone(node) {
  const copy = node.cloneNode(true);
  const originals = [node, ...node.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name));
    part.removeAttribute("class");
  });
  const paper = getComputedStyle(node.closest(".card")).backgroundColor;
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: paper }));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** The figure as PNG, at twice its size. */
async function painted(drawing, node) {
  const [width, height] = [2 * node.clientWidth, 2 * node.clientHeight]; // it may soon be replaced
  const source = URL.createObjectURL(drawing);
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = el("canvas", { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function keep(blob, name) {
  const href = URL.createObjectURL(blob);
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
