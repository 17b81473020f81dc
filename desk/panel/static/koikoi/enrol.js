// The enrolment page: asks for a few cards at a time and shows what was taken.

import { askDesk, LATE_MS } from "../ask.js";
import { byId, el, fill, readJson, say, strings } from "../dom.js";
import { LivePicture } from "../live_picture.js";

new LivePicture(byId("live")).show("/enrol/preview.mjpeg");
const language = document.documentElement.lang;
const name = (card) => card[language] ?? card.en;
let state = readJson("state");
let isBusy = false;

const began = { ms: performance.now(), taken: state.cards.filter((card) => card.taken).length };

/** How long the rest takes at the pace of this page's piles; nothing before the first one. */
function timeLeft(taken) {
  const done = taken - began.taken, rest = state.cards.length - taken;
  if (done <= 0 || rest === 0) return "";
  const left_s = ((performance.now() - began.ms) / 1000) * (rest / done);
  return left_s >= 90 ? fill(strings.minutes, { n: Math.round(left_s / 60) }) : fill(strings.seconds, { n: Math.max(1, Math.round(left_s)) });
}

function draw() {
  const asked = state.cards.filter((card) => state.asked_for.includes(card.id));
  const taken = state.cards.filter((card) => card.taken);
  if (state.kept) say(byId("sentence"), fill(strings.kept, { file: state.kept }));
  else if (!asked.length) say(byId("sentence"), strings.complete);
  else say(byId("sentence"), fill(strings.lay, { pile: asked[0][`pile_${language}`] || asked[0].id }));
  byId("asked").replaceChildren(...asked.map((card) => el("li", {}, name(card))));
  byId("taken").replaceChildren(...taken.map((card) =>
    el("li", { "data-card": card.id }, el("img", { src: `/enrol/cards/${card.id}.jpg?${taken.length}`, alt: name(card), width: 33, height: 54 }))));
  const count = fill(strings.count, { n: taken.length, all: state.cards.length });
  say(byId("count"), [count, timeLeft(taken.length)].filter(Boolean).join(", "));
  byId("take").disabled = !asked.length;
  byId("keep").disabled = asked.length > 0 || Boolean(state.kept);
}

async function command(what) {
  if (isBusy) return;
  isBusy = true;
  say(byId("refusal"), null);
  if (strings[what]) say(byId("sentence"), strings[what]);
  const answer = await askDesk("/enrol/commands", { name: what }, strings.gone, LATE_MS);
  const details = answer.details ?? [];
  state = answer.state ?? state;
  isBusy = false;
  say(byId("refusal"), answer.error);
  byId("details").replaceChildren(...details.map((line) => el("li", {}, line)));
  draw();
}

for (const what of ["take", "undo", "keep"]) byId(what).addEventListener("click", () => command(what));
draw();
