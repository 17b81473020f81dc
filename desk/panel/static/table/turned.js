// The far half turned round, so that both players read a tablet that lies between them; kept in this browser.

import { byId } from "../dom.js";
import { remember, remembered } from "../look.js";

const page = document.documentElement;

export const isTurned = () => page.dataset.turned !== undefined;

/** Let the button turn the far half of a game's page; `onTurn` is told. Returns what turns it. */
export function startTurning(game, onTurn = () => {}) {
  const set = (on) => {
    if (on) page.dataset.turned = "yes";
    else delete page.dataset.turned;
    byId("turn").setAttribute("aria-pressed", String(on));
    onTurn();
  };
  const turn = () => {
    set(!isTurned());
    remember(`${game}.turned`, isTurned() ? "yes" : null);
  };
  byId("turn").addEventListener("click", turn);
  set(remembered(`${game}.turned`) === "yes");
  return turn;
}
