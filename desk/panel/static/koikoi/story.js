// The story of a round: the table as it lay at each step, walked by buttons, keys or by itself.

import { byId, el, fill, readJson, say, strings } from "../dom.js";
import { typed } from "../keys.js";
import { cardList } from "./cards.js";
import { openReplay } from "../table/step_replay.js";
import { kinds } from "./seats.js";

const EVERY_MS = 1800;
const story = readJson("story");
const last = story.steps.length - 1;
let at = Math.max(last, 0);
let playing = null;

function draw() {
  const step = story.steps[at];
  if (!step) return;
  say(byId("at"), fill(strings.at, { n: at + 1, m: last + 1, text: step.text }));
  const pile = (seat) => el("section", { class: "player", "aria-label": story.names[seat] },
    el("h2", {}, story.names[seat]), kinds(step.piles[seat], { lit: step.cards }));
  const middle = el("section", { class: "middle", "aria-label": strings.middle },
    el("h2", {}, strings.middle, el("span", { class: "soft" }, ` ${fill(strings.stock, { n: step.stock })}`)),
    step.field.length ? cardList(step.field, { lit: step.cards }) : el("p", { class: "soft" }, strings.none));
  const [near, ...others] = step.piles.map((_, seat) => pile(seat));
  byId("table").replaceChildren(...others.reverse(), middle, near);
  for (const entry of byId("steps").children) {
    const current = Number(entry.dataset.step) === at;
    const button = entry.querySelector(".step");
    if (current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  byId("steps").children[at].scrollIntoView({ block: "nearest" });
  byId("first").disabled = byId("back").disabled = at === 0;
  byId("on").disabled = byId("last").disabled = at === last;
}

function go(to) {
  at = Math.min(Math.max(to, 0), last);
  draw();
  if (at === last) pause();
}

function pause() {
  clearInterval(playing);
  playing = null;
  byId("walk").setAttribute("aria-pressed", "false");
}

function play() {
  if (playing !== null) {
    pause();
    return;
  }
  if (at === last) go(0);
  playing = setInterval(() => go(at + 1), EVERY_MS);
  byId("walk").setAttribute("aria-pressed", "true");
}

byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(at - 1));
byId("on").addEventListener("click", () => go(at + 1));
byId("last").addEventListener("click", () => go(last));
byId("walk").addEventListener("click", play);
for (const entry of byId("steps").children) {
  const step = Number(entry.dataset.step);
  entry.querySelector(".step").addEventListener("click", () => { pause(); go(step); });
  entry.querySelector(".pictures")?.addEventListener("click", () => { pause(); go(step); openReplay(story.steps[step]); });
}
document.addEventListener("keydown", typed((event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "ArrowLeft") go(at - 1);
  else if (event.key === "ArrowRight") go(at + 1);
  else if (event.key === "p") play();
  else return;
  event.preventDefault();
}));
draw();
