// The set-up of a practice: who practises which cards, below which camera, and who reads.

import { byId, say, strings } from "../dom.js";
import { askDesk } from "../findings.js";
import { setWished } from "./card_set.js";

const who = byId("who-form");
const form = byId("agree-form");
const extra = new URLSearchParams(location.search).get("simulator") ?? ""; // such as " fps=20", for tests

function where() {
  const { kind, camera, video, seed, cards, speed } = form.elements;
  if (kind.value === "camera") return camera.value;
  if (kind.value === "video") return video.value;
  return `simulator seed=${seed.value} cards=${cards.value} speed=${speed.value}${extra}`;
}

async function start(event) {
  event.preventDefault();
  const fromBook = setWished(who);
  if (fromBook === "missing") {
    say(byId("refusal"), strings.nameFirst);
    who.elements.player.focus();
    return;
  }
  const { karafuda, voice, rhythm, by_hand: byHand } = form.elements;
  byId("start").disabled = true;
  say(byId("refusal"), null);
  say(byId("before-start"), strings.starting);
  const answer = await askDesk("/api/practise/set-up/start", {
    where: where() || "-",
    player: who.elements.player.value.trim(),
    from_book: fromBook,
    karafuda: Number(karafuda.value || 0),
    voice: voice.value,
    rhythm: rhythm.value,
    by_hand: byHand.checked,
  }, strings.failed);
  if (answer.page) {
    location.assign(answer.page);
    return;
  }
  byId("start").disabled = false;
  say(byId("before-start"), null);
  say(byId("refusal"), answer.error);
}

function showKind() {
  for (const part of form.querySelectorAll("[data-kind]")) part.hidden = part.dataset.kind !== form.elements.kind.value;
}

form.addEventListener("submit", start);
who.addEventListener("submit", start); // Enter in the name
form.addEventListener("change", showKind);
byId("take-phone").addEventListener("click", () => {
  form.elements.camera.value = "phone";
});
showKind();
