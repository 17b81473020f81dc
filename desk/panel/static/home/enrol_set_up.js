// The set-up of an enrolment: which cards, the deck's name, and the camera.

import { byId } from "../dom.js";
import { start } from "./start.js";

const form = byId("agree-form");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { game, name, camera, replace } = form.elements;
  start("/api/enrol/set-up/start", {
    game: game.value, name: name.value.trim(), camera: camera.value || "-", replace: replace.checked,
  });
});
