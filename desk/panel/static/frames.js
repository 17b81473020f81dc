// The pictures of one evidence bundle: fetched once, decoded near the place that is looked at.

const AHEAD = 6;
const KEPT = 24; // decoded pictures; a phone cannot hold a whole bundle decoded
const PARALLEL = 3; // leaves connections for the event stream

export class Frames {
  /** @param {string} folder address of the bundle; @param {{file: string, sha256: string, t_ns: number}[]} list its frames. */
  constructor(folder, list) {
    this.folder = folder;
    this.list = list;
    this.blobs = new Map();
    this.bitmaps = new Map();
    this.closed = false;
  }

  close() {
    this.closed = true;
    for (const bitmap of this.bitmaps.values()) bitmap.then((picture) => picture.close(), () => {});
    this.bitmaps.clear();
  }

  /** The number of the last frame that was taken at `t_ns` or before. */
  at(t_ns) {
    let low = 0, high = this.list.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.list[middle].t_ns <= t_ns) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Fetch every picture, those around `first` before the others. */
  async fetchFrom(first) {
    const order = [...this.list.keys()].sort((a, b) => Math.abs(a - first) - Math.abs(b - first));
    const worker = async () => {
      while (order.length && !this.closed) await this.blob(order.shift()).catch(() => {});
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }

  blob(number) {
    if (!this.blobs.has(number)) {
      const { file, sha256 } = this.list[number];
      // the hash in the address lets a browser keep the picture for good
      const fetched = fetch(`${this.folder}/${file}?sha256=${sha256}`).then((response) => {
        if (!response.ok) throw new Error(`${file}: ${response.status}`);
        return response.blob();
      });
      fetched.catch(() => this.blobs.delete(number));
      this.blobs.set(number, fetched);
    }
    return this.blobs.get(number);
  }

  /** Return the decoded picture and decode the next few behind it. */
  picture(number) {
    const wanted = this.decode(number);
    for (let next = number + 1; next <= number + AHEAD && next < this.list.length; next++) this.decode(next);
    return wanted;
  }

  decode(number) {
    const known = this.bitmaps.get(number);
    this.bitmaps.delete(number); // the latest use comes last
    const bitmap = known ?? this.blob(number).then((blob) => createImageBitmap(blob));
    bitmap.catch(() => this.bitmaps.delete(number));
    this.bitmaps.set(number, bitmap);
    if (this.bitmaps.size > KEPT) {
      const [oldest, picture] = this.bitmaps.entries().next().value;
      this.bitmaps.delete(oldest);
      picture.then((old) => old.close(), () => {});
    }
    return bitmap;
  }
}
