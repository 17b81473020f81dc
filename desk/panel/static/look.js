// How the page looks on this screen: dark or light, projector, and from which seat. Kept in the browser.

import { byId } from "./dom.js";

const page = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`shinpan.${name}`);
    else localStorage.setItem(`shinpan.${name}`, value);
  } catch {
    // a browser that keeps nothing still shows the match
  }
}

export function remembered(name) {
  try {
    return localStorage.getItem(`shinpan.${name}`);
  } catch {
    return null;
  }
}

export function toggleDark() {
  const dark = page.dataset.theme ? page.dataset.theme === "dark" : prefersDark.matches;
  page.dataset.theme = dark ? "light" : "dark";
  remember("theme", page.dataset.theme);
}

export function toggleProjector() {
  const on = page.dataset.mode !== "projector";
  if (on) page.dataset.mode = "projector";
  else delete page.dataset.mode;
  remember("mode", on ? "projector" : null);
}

export const shortcutsOn = () => byId("keys-on").checked;

/** Restore what this browser chose before. `?mode=projector` serves a hall's projector without a keyboard. */
export function startLook() {
  const theme = remembered("theme");
  if (theme) page.dataset.theme = theme;
  const mode = new URLSearchParams(location.search).get("mode") ?? remembered("mode");
  if (mode === "projector") page.dataset.mode = mode;
  const keys = byId("keys-on"); // pages without single keys have no switch for them
  if (keys) {
    keys.checked = remembered("keys") !== "off";
    keys.addEventListener("change", (event) => remember("keys", event.target.checked ? null : "off"));
  }
  byId("dark").addEventListener("click", toggleDark);
  byId("projector").addEventListener("click", toggleProjector);
}
