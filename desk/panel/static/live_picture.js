// The live picture of a table.

import { openSocket } from "./stream.js";

const LEAST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 4000;
const JPEG_BEGINS = 0xff; // what stands before it in a piece of the stream is text

/** A picture that follows its stream while it is wanted and somebody can see the page. */
export class LivePicture {
  #address = null;
  #close = null;
  #pause_ms = LEAST_PAUSE_MS;

  /** @param picture the image; @param frame is shown as soon as there is a first picture. */
  constructor(picture, frame = picture) {
    this.picture = picture;
    this.frame = frame;
    picture.addEventListener("load", () => {
      URL.revokeObjectURL(picture.src);
      this.#pause_ms = LEAST_PAUSE_MS;
      this.frame.hidden = this.#address === null;
    });
    document.addEventListener("visibilitychange", () => this.#follow());
  }

  /** Follow the stream at an address; null: no picture is wanted. */
  show(address) {
    if (address === this.#address) return;
    this.#address = address;
    this.#stop();
    if (address === null) {
      this.frame.hidden = true;
      this.picture.removeAttribute("src");
    }
    this.#follow();
  }

  #stop() {
    this.#close?.();
    this.#close = null;
  }

  #follow() {
    if (document.hidden || this.#address === null) this.#stop();
    else if (this.#close === null) this.#open();
  }

  #open() {
    const address = this.#address;
    this.#close = openSocket(address, {
      heard: (piece) => {
        const bytes = new Uint8Array(piece);
        const jpeg = bytes.subarray(Math.max(0, bytes.indexOf(JPEG_BEGINS)));
        this.picture.src = URL.createObjectURL(new Blob([jpeg], { type: "image/jpeg" }));
      },
      ended: (isBlocked) => { if (isBlocked) this.#follow_without_socket(address); else this.#again(); },
    });
  }

  #follow_without_socket(address) {
    const failed = () => { this.#stop(); this.#again(); };
    this.picture.addEventListener("error", failed, { once: true });
    this.picture.src = address;
    this.#close = () => {
      this.picture.removeEventListener("error", failed);
      this.picture.removeAttribute("src");
    };
  }

  /** The first picture comes later than the page, or never. */
  #again() {
    const pause = setTimeout(() => { this.#close = null; this.#follow(); }, this.#pause_ms);
    this.#close = () => clearTimeout(pause);
    this.#pause_ms = Math.min(2 * this.#pause_ms, MOST_PAUSE_MS);
  }
}
