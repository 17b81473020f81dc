// A set of cards out of a player's book, as the forms of the reciter and of a practice send it.

import { byId, say, strings } from "../dom.js";

/** The set that a form asks for, null where it asks for none; undefined where the name is missing, which is said. */
export function setWished(form) {
  const { player, card_set: cardSet, most } = form.elements;
  if (!cardSet.value) return null;
  const name = player.value.trim();
  if (name) return { player: name, card_set: cardSet.value, most: Number(most.value || 20) };
  say(byId("refusal"), strings.nameFirst);
  player.focus();
  return undefined;
}
