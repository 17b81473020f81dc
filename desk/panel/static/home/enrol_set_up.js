// The set-up of an enrolment: which cards, the deck's name, and the camera.

import { byId, say, strings } from "../dom.js";
import { askDesk } from "../findings.js";

const form = byId("agree-form");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { game, name, camera, replace } = form.elements;
  byId("start").disabled = true;
  say(byId("refusal"), null);
  say(byId("before-start"), strings.starting);
  const answer = await askDesk("/api/enrol/set-up/start", {
    game: game.value, name: name.value.trim(), camera: camera.value || "-", replace: replace.checked,
  }, strings.failed);
  if (answer.page) {
    location.assign(answer.page);
    return;
  }
  byId("start").disabled = false;
  say(byId("before-start"), null);
  say(byId("refusal"), answer.error);
});
