// The set-up of a practice: who practises which cards, below which camera, and who reads.

import { byId, offer } from "../dom.js";
import { setWished } from "./card_set.js";
import { start } from "./start.js";

const who = byId("who-form");
const form = byId("agree-form");
const extra = new URLSearchParams(location.search).get("simulator") ?? ""; // such as " fps=20", for tests

function where() {
  const { kind, camera, video, seed, cards, speed } = form.elements;
  if (kind.value === "camera") return camera.value;
  if (kind.value === "video") return video.value;
  return `simulator seed=${seed.value} cards=${cards.value} speed=${speed.value}${extra}`;
}

function agree(event) {
  event.preventDefault();
  const fromBook = setWished(who);
  if (fromBook === undefined) return;
  const { karafuda, voice, rhythm, by_hand: byHand } = form.elements;
  start("/api/practise/set-up/start", {
    where: where() || "-",
    player: who.elements.player.value.trim(),
    from_book: fromBook,
    karafuda: Number(karafuda.value || 0),
    voice: voice.value,
    rhythm: rhythm.value,
    by_hand: byHand.checked,
  });
}

function showKind() {
  for (const part of form.querySelectorAll("[data-kind]")) offer(part, part.dataset.kind === form.elements.kind.value);
}

form.addEventListener("submit", agree);
who.addEventListener("submit", agree); // Enter in the name
form.addEventListener("change", showKind);
byId("take-phone").addEventListener("click", () => {
  form.elements.camera.value = "phone";
});
showKind();
