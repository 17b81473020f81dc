// A film's card table: its rounds with their steps, each of which shows its pictures when it is chosen.

import { byId, changed, el, fill, say, strings } from "../dom.js";

/** Draw what was played; `pick` is told the step that somebody chooses, `picked` is the one that is looked at. */
export function drawTable(table, picked, pick) {
  if (changed("table", table)) {
    say(byId("table-sentence"), table.sentence);
    say(byId("table-doubt"), table.doubt);
    say(byId("table-hint"), table.hint);
    say(byId("table-dealer"), table.dealer);
    byId("parts").replaceChildren(...table.parts.map((part) => el(
      "li", {},
      ...(part.title ? [el("h3", {}, part.title)] : []),
      ...(part.more ? [el("p", { class: "soft" }, part.more)] : []),
      ...(part.doubt ? [el("p", { class: "problem" }, part.doubt)] : []),
      el("ol", { class: "steps" }, ...part.steps.map((step) => stepItem(step, pick))),
      ...part.late.map(flagNote))));
  }
  for (const button of byId("parts").querySelectorAll("button")) {
    if (Number(button.dataset.step) === picked) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
}

const stepsOf = (table) => table.parts.flatMap((part) => part.steps);

export const stepNumbered = (table, number) => stepsOf(table).find((step) => step.number === number) ?? null;

/** The step to begin with: the first that was flagged, or else the last one. */
export function firstStep(table) {
  const steps = stepsOf(table);
  return (steps.find((step) => step.flags.length) ?? steps.at(-1))?.number ?? null;
}

function stepItem(step, pick) {
  const reached = step.reached.map((yaku) => el(
    "b", { class: "reached" }, " ", el("span", { lang: "ja" }, yaku.kanji), ` ${yaku.meaning}`));
  return el(
    "li", { class: step.flags.length ? "flagged" : null },
    el("button", { type: "button", class: "step", "data-step": step.number, onclick: () => pick(step.number) },
      el("span", { class: "time" }, fill(strings.at, { t: step.t })),
      el("span", { class: step.taken_back ? "taken-back" : null }, step.text, ...reached)),
    ...step.flags.map(flagNote));
}

function flagNote(flag) {
  return el("div", { class: "flag" }, el("strong", {}, flag.what), el("p", {}, flag.mend),
    el("p", { class: "soft" }, fill(strings.noted, { text: flag.text })));
}
