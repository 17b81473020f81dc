// The two contenders side by side: each player's first contact with the card that was read, at its own instant.

import { byId, fill, say, SHAPES, strings } from "./dom.js";

const CROP = 0.24; // part of the picture's width that is shown around the card
const NS_PER_MS = 1e6;

/** Show both contacts, or nothing where only one player reached the card.
 * @param {import("./frames.js").Frames} frames
 * @param {object} marks the manifest's marks
 * @param {(pen: CanvasRenderingContext2D, touch: object) => void} paint rings a contact */
export async function drawComparison(frames, marks, paint) {
  const first = (side) => marks.touches
    .filter((touch) => touch.player === side && touch.card === marks.poem && touch.at_px && !touch.unprovable)
    .sort((a, b) => a.t_ns - b.t_ns)[0];
  const contenders = { near: first("near"), far: first("far") };
  const element = byId("compare");
  element.hidden = !(contenders.near && contenders.far);
  if (element.hidden) return;
  for (const [side, touch] of Object.entries(contenders)) {
    const number = frames.at(touch.t_ns);
    const picture = await frames.picture(number).catch(() => null);
    if (!picture?.width || frames.closed) continue; // could not be had, or was given up meanwhile
    const canvas = element.querySelector(`[data-side="${side}"] canvas`);
    const scale = canvas.width / (picture.width * CROP);
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale,
      canvas.width / 2 - touch.at_px[0] * scale, canvas.height / 2 - touch.at_px[1] * scale);
    pen.drawImage(picture, 0, 0);
    paint(pen, touch);
    canvas.dataset.index = frames.list[number].index;
    const t = ((touch.t_ns - marks.t_poem_ns) / NS_PER_MS).toFixed(1);
    const unc = (touch.t_unc_ns / NS_PER_MS).toFixed(1);
    const time = fill(strings.contact, { t, unc });
    say(element.querySelector(`[data-side="${side}"] figcaption`), `${SHAPES[side]} ${time}`);
  }
}
