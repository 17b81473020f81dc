// What the pages of all card tables share: the line to the desk, commands, and drawing only what has changed.

import { askDesk } from "../ask.js";
import { byId, changed, fill, readJson, say, sayAwaited, strings } from "../dom.js";
import { typed } from "../keys.js";
import { LivePicture } from "../live_picture.js";
import { shortcutsOn } from "../look.js";
import { keepStream } from "../stream.js";

const language = document.documentElement.lang;

/** Draw a part again only where what it shows has changed: focus and screen readers stay where they are. */
export function redraw(part, data, draw) {
  if (changed(part, data)) draw();
}

/** A function that sends commands to a game's page, such as `/koikoi`, and shows what was refused. */
export function commandsTo(path) {
  return async (body) => {
    const answer = await askDesk(`${path}/commands`, body, strings.gone);
    say(byId("refusal"), answer.error);
  };
}

/** Another game may have begun at this table, and none at all: then the page is no longer this game's. */
async function follow(path) {
  const answer = await fetch(`${path}/view?lang=${language}`).catch(() => null);
  if (answer?.status === 404) location.assign(path); // which leads on to the set-up
}

/** Keep the line to a game's page open; `onView(view)` is told whenever the game has changed. */
export function openLine(path, onView) {
  const { id } = readJson("view");
  new LivePicture(byId("live"), byId("camera")).show(`${path}/preview.mjpeg`);
  keepStream(() => `${path}/events?lang=${language}`, {
    view: (view) => {
      if (view.id === id) onView(view);
      else location.reload();
    },
    tick: (health) => {
      say(byId("fps"), health.fps === null ? "" : fill(strings.fps, { n: Math.round(health.fps) }));
      say(byId("warnings"), health.warnings.join(" "));
      sayAwaited(health);
    },
  }, () => follow(path));
}

/** Listen to single keys: `keys` maps each to what it does; `?` opens the cheat sheet. */
export function startKeys(keys) {
  byId("help").addEventListener("click", () => byId("help-dialog").showModal());
  document.addEventListener("keydown", typed((event) => {
    const writes = event.target.closest("input, textarea, select");
    if (writes || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "?") byId("help-dialog").showModal();
    else if (shortcutsOn()) keys[event.key]?.();
  }));
}
