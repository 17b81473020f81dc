// The set-up of a reading: what is read, in which order, and where it is heard.

import { byId, say, strings } from "../dom.js";
import { askDesk } from "../findings.js";
import { setWished } from "./card_set.js";

const form = byId("agree-form");

async function start(event) {
  event.preventDefault();
  const { sound, mode, order, voice, rhythm, cards, poems, memorise_min: memorise, by_hand: byHand } = form.elements;
  const fromBook = setWished(form);
  if (fromBook === "missing") {
    say(byId("refusal"), strings.nameFirst);
    form.elements.player.focus();
    return;
  }
  byId("start").disabled = true;
  say(byId("refusal"), null);
  say(byId("before-start"), strings.starting);
  const answer = await askDesk("/api/recite/set-up/start", {
    sound: sound.value,
    mode: mode.value,
    order: order.value,
    voice: voice.value,
    rhythm: rhythm.value,
    cards: cards.value,
    from_book: fromBook,
    poems: poems.value === "" ? null : Number(poems.value),
    memorise_min: Number(memorise.value),
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

form.addEventListener("submit", start);
