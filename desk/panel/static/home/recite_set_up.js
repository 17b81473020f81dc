// The set-up of a reading: what is read, in which order, and where it is heard.

import { byId } from "../dom.js";
import { setWished } from "./card_set.js";
import { start } from "./start.js";

const form = byId("agree-form");

function agree(event) {
  event.preventDefault();
  const { sound, mode, order, voice, rhythm, cards, poems, memorise_min: memorise, by_hand: byHand, joka } = form.elements;
  const fromBook = setWished(form);
  if (fromBook === undefined) return;
  const ticked = [...form.querySelectorAll("[name=sound_of]:checked")].map((box) => box.value);
  start("/api/recite/set-up/start", {
    sound: sound.value,
    mode: mode.value,
    order: order.value,
    voice: voice.value,
    rhythm: rhythm.value,
    cards: [cards.value, ...ticked].filter(Boolean).join(","),
    from_book: fromBook,
    poems: poems.value === "" ? null : Number(poems.value),
    memorise_min: Number(memorise.value),
    by_hand: byHand.checked,
    joka: joka.checked,
  });
}

form.addEventListener("submit", agree);
