// Choose a card or a poem by its kimariji or its number, in a dialog.

import { byId, el, readJson } from "./dom.js";
import { typed } from "./keys.js";

/** Prepare the dialog `<name>-dialog` with its filter and its list; the choice goes to `chosen(card)`. */
export function cardChoice(name, chosen) {
  const cards = readJson("cards"); // [{card, name, text}] in the order of the kimariji
  const dialog = byId(`${name}-dialog`);
  const filter = byId(`${name}-filter`);
  const list = () => {
    const wanted = filter.value.trim();
    const fits = ({ card, name: kimariji }) => kimariji.startsWith(wanted) || String(card).startsWith(wanted);
    byId(`${name}-cards`).replaceChildren(...cards.filter(fits).map(({ card, name: kimariji, text }) =>
      el("li", {}, el("button", { type: "button", lang: "ja", title: text, onclick: () => { dialog.close(); chosen(card); } },
        el("b", {}, kimariji), el("span", { class: "soft" }, ` ${card}`)))));
  };
  filter.addEventListener("input", list);
  // Enter takes the first one that fits
  filter.addEventListener("keydown", typed((event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    byId(`${name}-cards`).querySelector("button")?.click();
  }));
  return {
    open() {
      filter.value = "";
      list();
      dialog.showModal();
      filter.focus();
    },
  };
}
