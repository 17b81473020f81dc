// Where points of a table are in its picture: the perspective view of a rectangle, from its four corners.

/** Solve a system of linear equations by elimination; `rows` hold the coefficients and the right side. */
function solve(rows) {
  const n = rows.length;
  for (let i = 0; i < n; i += 1) {
    const best = rows.slice(i).reduce((top, row, k) => (Math.abs(row[i]) > Math.abs(rows[top][i]) ? i + k : top), i);
    [rows[i], rows[best]] = [rows[best], rows[i]];
    for (let k = 0; k < n; k += 1) {
      if (k === i) continue;
      const factor = rows[k][i] / rows[i][i];
      rows[k] = rows[k].map((value, column) => value - factor * rows[i][column]);
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

function homography(from, to) {
  const h = solve(from.flatMap(([x, y], i) => {
    const [u, v] = to[i];
    return [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]];
  }));
  return ([x, y]) => {
    const w = h[6] * x + h[7] * y + 1;
    return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
  };
}

/** The functions from table millimetres to shares of the picture and back. */
export function planeOf(corners, [width, height]) {
  const table = [[0, 0], [width, 0], [width, height], [0, height]];
  return { toPicture: homography(table, corners), toTable: homography(corners, table) };
}

/** Four places in any order, clockwise on the picture from the one nearest to its upper left. */
export function clockwise(places) {
  const [cx, cy] = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  const around = [...places].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
  const first = around.reduce((best, place, i) => (place[0] + place[1] < around[best][0] + around[best][1] ? i : best), 0);
  return [...around.slice(first), ...around.slice(0, first)];
}
