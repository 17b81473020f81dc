// The page of a card game that brings no page of its own: the sentence, and what was played.

import { byId, el, readJson, say } from "../dom.js";
import { startLook } from "../look.js";
import { play, startSounds } from "../table/sounds.js";
import { openLine, redraw, startKeys } from "../table/table.js";
import { startTurning } from "../table/turned.js";

const path = document.documentElement.dataset.base;
let view = readJson("view");

function draw() {
  say(byId("sentence"), view.sentence);
  redraw("notes", view.notes, () => byId("notes").replaceChildren(...view.notes.map((note) => el("li", {}, note))));
}

startLook();
startSounds();
startKeys({ v: () => turn() });
draw();
const turn = startTurning("plain");
openLine(path, (latest) => {
  const isNew = latest.notes.length > view.notes.length;
  view = latest;
  draw();
  if (isNew) play("take");
});
