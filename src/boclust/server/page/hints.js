/* What a word means, where it stands: a question mark that shows or hides the answer. */

import { el } from "./dom.js";

/** Questions whose answers are shown: parts of the page are made anew as a study goes on. */
const asked = new Set();
let answers = 0;

/** The mark, and the answer that follows it. */
export function hint(question, ...answer) {
  answers += 1;
  const text = el("div", { id: `answer-${answers}`, class: "hint", hidden: !asked.has(question) }, answer);
  const mark = el("button", {
    type: "button", class: "question", "aria-label": question, title: question, "data-key": question,
    "aria-expanded": String(asked.has(question)), "aria-controls": text.id,
    onclick: () => {
      if (!asked.delete(question)) asked.add(question);
      text.hidden = !asked.has(question);
      mark.setAttribute("aria-expanded", String(!text.hidden));
    },
  }, "?");
  return [mark, text];
}

/** Several words, each with its meaning. */
export const meanings = (pairs) =>
  el("dl", {}, pairs.map(([word, meaning]) => [el("dt", {}, word), el("dd", {}, meaning)]).flat());
