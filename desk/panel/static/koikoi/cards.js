// Cards as pictures with names, and the dialog that names a card which was read wrongly.

import { byId, el, fill, readJson, strings } from "../dom.js";

const names = readJson("cards");
const picture = (card, note) => el("img", {
  src: `/koikoi/cards/${card}.jpg`, alt: note ? `${names[card]} (${note})` : names[card], width: 33, height: 54,
});

/** A list of cards. `onTap(card)` returns what a tap does, or null; `marked` cards are under way, `lit` ones
 * stand out, and `note` says why. */
export function cardList(cards, { id = null, onTap = () => null, marked = [], lit = [], note = null } = {}) {
  const items = cards.map((card) => {
    const action = onTap(card);
    const isLit = lit.includes(card);
    const drawn = picture(card, isLit ? note : null);
    const face = action ? el("button", { class: "face-button", onclick: action }, drawn) : drawn;
    const under = marked.includes(card) ? el("span", { class: "under-way" }, strings.underWay) : "";
    return el("li", { "data-card": card, class: isLit ? "lit" : null }, face, under);
  });
  return el("ul", { id, class: "cards" }, ...items);
}

let chosen = null;

export function openCorrection(card) {
  chosen = card;
  byId("correct-title").textContent = fill(strings.really, { card: names[card] });
  byId("correct-dialog").showModal();
}

/** Fill the dialog once; `onChosen(card, really)` is told what the person said. */
export function startCorrection(onChosen) {
  const dialog = byId("correct-dialog");
  byId("deck").replaceChildren(...names.map((name, card) =>
    el("li", {}, el("button", { class: "face-button", onclick: () => { dialog.close(); onChosen(chosen, card); } },
      el("img", { src: `/koikoi/cards/${card}.jpg`, alt: name, width: 33, height: 54, loading: "lazy" })))));
}
