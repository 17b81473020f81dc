// The ruling in words: the poem, one sentence, its reasons, and what is left to do before the next poem.

import { byId, el, fill, refill, say, sayAwaited, strings } from "./dom.js";

const MOST_REASONS = 3;

/** Show the seats: names, cards left, cards owed, faults. */
export function drawSeats(view) {
  for (const [side, seat] of Object.entries(view.sides)) {
    const element = byId(`seat-${side}`);
    const part = (name) => element.querySelector(`.${name}`);
    say(part("shape"), seat.shape);
    say(part("name"), seat.name);
    say(part("owes"), seat.owes_text);
    say(part("faults"), seat.faults ? seat.faults_text : "");
    say(part("appeals"), seat.appeals_text);
    say(part("count b"), String(seat.count));
    say(part("count i"), seat.cards_text.replace(/^\d+\s*/, ""));
    element.classList.toggle("winner", view.winner === side);
    for (const name of document.querySelectorAll(`[data-name="${side}"]`)) say(name, seat.name);
  }
}

/** Show the ruling `poem` (the latest, or an earlier one that was picked from the timeline). */
export function drawVerdict(view, poem, picked) {
  const reading = view.reading && !picked;
  document.body.dataset.phase = view.phase;
  say(byId("phase"), view.phase_text);
  say(byId("pause"), view.pause);
  say(byId("swings"), view.swings);
  if (reading) drawReading(view.reading);
  else if (poem) drawRuling(view, poem, picked);
  else drawNothing(view);
  sayAwaited(view);
  list("to-do", reading ? [] : view.to_do);
  list("news", picked ? [] : view.news);
}

function drawReading(reading) {
  say(byId("badge"), "");
  say(byId("sentence"), reading.order ? fill(strings.reading, reading) : strings.joka);
  for (const id of ["gap", "note"]) say(byId(id), "");
  drawPoem(reading.ku, null);
  list("reasons", []);
  list("doubts", []);
}

function drawNothing(view) {
  say(byId("badge"), "");
  say(byId("sentence"), view.winner_text ?? (view.phase === "poem" ? strings.waiting : view.phase_text));
  for (const id of ["gap", "note"]) say(byId(id), "");
  drawPoem([], null);
  list("reasons", []);
  list("doubts", []);
}

/** Show a ruling; `view` tells who won the match, if anybody has. */
export function drawRuling(view, poem, picked) {
  const badge = byId("badge");
  const over = view.winner_text && !picked;
  say(badge, over ? view.winner_text : `${fill(strings.reading, poem)} · ${poem.state_text}`);
  badge.dataset.state = over ? "over" : poem.state;
  say(byId("sentence"), poem.sentence);
  say(byId("gap"), [poem.lead_text, poem.reaction_text].filter(Boolean).join(" · "));
  const appealed = poem.appealed_by ? fill(strings.appealed, { side: poem.appealed_by }) : null;
  say(byId("note"), [appealed, poem.note].filter(Boolean).join(" "));
  drawPoem(poem.ku, poem);
  drawReasons(poem.reasons);
  list("doubts", poem.doubts);
}

function drawPoem(ku, poem) {
  const element = byId("poem");
  element.hidden = ku.length === 0;
  const lines = ku.map((parts, place) =>
    el("p", { class: place < 3 ? "kami" : "shimo" }, ...parts.map(ruby)));
  const seal = poem && el("p", { class: `seal ${poem.taken_by ?? "nobody"}` }, el("span", {}, sealText(poem)));
  element.classList.toggle("sealed", Boolean(seal));
  const kimariji = poem && el("p", { class: "kimariji" }, poem.kimariji);
  element.replaceChildren(...(kimariji ? [kimariji] : []), ...lines, ...(seal ? [seal] : []));
}

const ruby = ([text, kana]) => (kana ? el("ruby", {}, text, el("rt", {}, kana)) : text);
const sealText = (poem) => (poem.target_side === null ? "空" : poem.taken_by ? "取" : "無");

/** The weightiest reasons first; further ones are folded, so that the replay stays in sight. */
function drawReasons(reasons) {
  const folded = reasons.length > MOST_REASONS + 1 ? reasons.length - MOST_REASONS : 0;
  const data = [...reasons.map((reason, place) => ({ ...reason, folded: folded > 0 && place >= MOST_REASONS }))];
  list("reasons", folded ? [...data, { more: folded }] : data, reasonButton);
}

function unfold(event) {
  const items = [...byId("reasons").children];
  for (const item of items) item.hidden = false;
  items[MOST_REASONS].querySelector("button").focus();
  event.target.closest("li").remove();
}

function reasonButton(reason) {
  if (reason.more) {
    return el("li", {}, el("button", { class: "reason more", onclick: unfold }, fill(strings.more_reasons, { n: reason.more })));
  }
  return el("li", { hidden: reason.folded }, el("button", { class: "reason", onclick: () => openReason(reason) }, reason.text));
}

function openReason(reason) {
  say(byId("reason-text"), reason.text);
  say(byId("reason-source"), reason.source);
  say(byId("reason-paragraph"), reason.paragraph);
  byId("reason-dialog").showModal();
}

function list(id, data, make = (text) => el("li", {}, text)) {
  refill(byId(id), data, make);
  byId(id).hidden = data.length === 0;
}
