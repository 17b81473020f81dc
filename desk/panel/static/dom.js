// Small helpers for building elements. Text always arrives as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);
export const readJson = (id) => JSON.parse(byId(id).textContent);

export const strings = readJson("strings");

/** Where the addresses of this page's match begin: empty for the running one. */
export const base = document.documentElement.dataset.base ?? "";

/** Fill the `{fields}` of a text. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const JAPANESE = /([\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\u300c\u300d\u3005]+)/;
const isJapanesePage = document.documentElement.lang === "ja";

/** Kana and kanji inside another language, said to be Japanese: to fonts, and to who reads aloud. */
const marked = (text) => (isJapanesePage || !JAPANESE.test(text) ? [text] : text.split(JAPANESE).filter(Boolean)
  .map((part) => (JAPANESE.test(part) ? build(document.createElement("span"), { lang: "ja" }, [part]) : part)));

export const el = (tag, attributes = {}, ...children) => build(
  document.createElement(tag), attributes,
  tag === "option" || attributes.lang === "ja" ? children
    : children.flatMap((child) => (typeof child === "string" ? marked(child) : [child])),
);
export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

/** Show a text, or hide its element where there is none. An unchanged text is left alone: a screen reader
 * would read it again. */
export function say(element, text) {
  if (!element) return;
  const shown = text ?? "";
  if (element.textContent !== shown) {
    element.replaceChildren(...(element.closest('[lang="ja"]') ? [shown] : marked(shown)));
  }
  element.hidden = !text;
}

/** Say what is awaited, and which button goes on. */
export function sayAwaited({ awaits, offer }) {
  say(byId("awaits"), awaits);
  say(byId("offer"), offer);
}

const filled = new WeakMap();

/** Fill a list anew where what it shows (`data`) has changed, and only then: an entry that is made anew while
 * somebody presses it loses the press, and takes the keyboard's focus away. */
export function refill(element, data, make) {
  const shows = JSON.stringify(data);
  if (filled.get(element) === shows) return;
  filled.set(element, shows);
  const focused = [...element.children].findIndex((child) => child.contains(document.activeElement));
  element.replaceChildren(...data.map(make));
  if (focused >= 0) element.children[Math.min(focused, data.length - 1)]?.querySelector("button")?.focus();
}

/** Show a part of a form, or hide it so that nothing in it keeps the form from being sent. */
export function offer(part, shown) {
  part.hidden = !shown;
  for (const input of part.querySelectorAll("input")) input.disabled = !shown;
}

const known = new Map();

/** Tell whether what `name` shows is another than at the last call: drawing the same again costs as much. */
export function changed(name, data) {
  const text = JSON.stringify(data);
  if (known.get(name) === text) return false;
  known.set(name, text);
  return true;
}

/** Give an element's `<use>` another picture of icons.svg. */
export const setIcon = (element, name) =>
  element.querySelector("use").setAttribute("href", `/static/icons.svg#${name}`);

/** The sides' signs: position, word, shape and colour all tell the same. */
export const SHAPES = { near: "●", far: "◆" };

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
