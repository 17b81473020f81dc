// The poems so far: takes of the far player above the line, of the near player below it, dead cards on it.

import { byId, el, fill, refill, SHAPES, strings } from "./dom.js";

/** Draw the timeline; `pick(seq)` is called when somebody wants to see an earlier poem. */
export function drawTimeline(view, pickedSeq, pick) {
  const element = byId("timeline");
  const atEnd = element.scrollWidth - element.scrollLeft - element.clientWidth < 60;
  const data = view.poems.map((poem) => ({ ...poem, picked: poem.seq === pickedSeq }));
  refill(element, data, (poem) => entry(poem, poem.picked, pick));
  if (atEnd) element.scrollLeft = element.scrollWidth;
}

function entry(poem, picked, pick) {
  const fault = (side) => "×".repeat(poem.faults[side]);
  return el(
    "li",
    { class: `${poem.taken_by ?? "nobody"} ${poem.state}${poem.dead ? " dead" : ""}` },
    el(
      "button",
      {
        "aria-current": picked ? "true" : null,
        title: `${fill(strings.reading, poem)}: ${poem.label}`,
        "aria-label": `${fill(strings.reading, poem)}: ${poem.label}`,
        onclick: () => pick(poem.seq),
      },
      el("span", { class: "row far" }, poem.taken_by === "far" ? SHAPES.far : "", faultMark(fault("far"))),
      el("span", { class: "row kimariji", lang: "ja" }, poem.kimariji),
      el("span", { class: "row near" }, poem.taken_by === "near" ? SHAPES.near : "", faultMark(fault("near"))),
    ),
  );
}

const faultMark = (text) => (text ? el("span", { class: "fault" }, text) : "");
