// Where a phone comes in as camera, on the page of every set-up.

import { byId, el, refill, say } from "./dom.js";

/** Where a phone comes in: a link works once, so that another one is shown when a phone has come. */
export function showPhone(phone) {
  byId("phone").hidden = !phone;
  if (!phone) return;
  say(byId("phone-stage"), phone.stage_text);
  refill(byId("phone-links"), phone.stage === "streaming" ? [] : phone.links, ({ address, qr }) => el(
    "li", {}, el("img", { src: qr, alt: "", class: "qr" }), el("p", {}, el("a", { href: address }, address)),
  ));
  refill(byId("phone-notes"), phone.notes, (note) => el("li", {}, note));
  byId("phone-trust").hidden = !phone.fingerprint || phone.stage === "streaming";
  say(byId("phone-fingerprint"), phone.fingerprint);
}
