/* Elements. Text, from whomever, is only ever set as text: there is no HTML in strings here. */

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element with attributes ("onclick" and the like: functions) and children. */
export const el = (tag, attributes = {}, ...children) =>
  build(document.createElement(tag), attributes, children);

/** The same in a drawing. */
export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

/** Put children in the place of others; who has the focus keeps it, known by its data-key. */
export function replace(parent, ...children) {
  const active = document.activeElement;
  const key = parent.contains(active) ? active.closest("[data-key]")?.dataset.key : undefined;
  parent.replaceChildren(...children.flat().filter((child) => child !== null));
  if (key !== undefined) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  return parent;
}

/** Tell those who cannot see it what changed. */
export function announce(text) {
  document.getElementById("said").textContent = text;
}

/** A dialog with a form; `send` gets its values, and whatever it throws is shown there. */
export function ask(title, fields, button, send) {
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const submit = el("button", { class: "primary" }, button);
  const form = el("form", { method: "dialog" },
    el("h2", {}, title), fields, problem,
    el("div", { class: "buttons" },
      submit, el("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  const dialog = el("dialog", { "aria-label": title, onclose: () => dialog.remove() }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await send(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      blame(form, problem, error);
    } finally {
      submit.disabled = false;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input, textarea, select")?.focus();
}

/** Show an error beside a form, and at the field that it is about. */
export function blame(form, place, error) {
  place.textContent = error?.message ?? "";
  place.hidden = !error;
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const field = error?.argument && form.elements[error.argument.split(/[ .[]/)[0]];
  if (field instanceof HTMLElement) {
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
}

let fields = 0;

/** A labelled field; `hint` says what is accepted. */
export function field(label, input, hint) {
  fields += 1;
  input.id = `field-${fields}`;
  const small = hint === undefined ? null : el("small", { id: `hint-${fields}` }, hint);
  if (small) input.setAttribute("aria-describedby", small.id);
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input, small);
}

/** A list of buttons of which one is pressed. */
export function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    el("button", { type: "button", "aria-pressed": String(value === chosen), onclick: (event) => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === event.currentTarget));
      choose(value);
    } }, text));
  return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

/** A table: headings, then rows of texts or elements. */
export function table(headings, rows, attributes = {}) {
  return el("table", attributes,
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", {}, cell))))));
}
