// The live picture of a table.

/** Show `frame` as soon as `picture` has something to show: the first picture comes later than the page, or never.
 * Without its `src` the picture is not wanted and not asked for again. */
export function awaitPicture(picture, frame, address) {
  let pause_ms = 250;
  picture.addEventListener("load", () => { frame.hidden = false; });
  picture.addEventListener("error", () => {
    setTimeout(() => { if (picture.hasAttribute("src")) picture.src = address; }, pause_ms);
    pause_ms = Math.min(2 * pause_ms, 4000);
  });
}
