// A set of cards out of a player's book, as the forms of the reciter and of a practice send it.

/** The set that a form asks for, null where it asks for none; a name that is missing is `missing`. */
export function setWished(form) {
  const { player, card_set: cardSet, most } = form.elements;
  if (!cardSet.value) return null;
  const name = player.value.trim();
  return name ? { player: name, card_set: cardSet.value, most: Number(most.value || 20) } : "missing";
}
