// What every set-up shows: the live picture of its source, and what was found in it.

import { byId, el } from "./dom.js";
import { LivePicture } from "./live_picture.js";

const GLYPHS = { ok: "✓", warn: "△", fail: "✕", unknown: "–" };

/** One finding as an entry of the list: what it is, what was found, and how to mend it. */
export function finding(each) {
  return el(
    "li", { class: each.status, "data-finding": each.id },
    el("span", { class: "sign", "aria-hidden": "true" }, GLYPHS[each.status]),
    el("span", { class: "what" }, el("strong", {}, each.name), " ", el("span", { class: "sr" }, each.status_text), " ",
      el("span", { class: "found" }, each.found)),
    ...(each.mend ? [el("p", { class: "mend" }, each.mend)] : []),
  );
}

let live = null;
let pictureOf = null;

/** Show the stream at `path` while a source is open; it begins anew with every source (null: none is open). */
export function showPicture(path, source) {
  const key = source === null ? null : JSON.stringify(source);
  if (key === pictureOf) return;
  pictureOf = key;
  byId("no-picture").hidden = source !== null;
  live ??= new LivePicture(byId("live"));
  live.show(source === null ? null : `${path}?${Date.now()}`);
}
