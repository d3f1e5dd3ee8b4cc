import { Units } from './units';

/**
 * Edit distances from a text to a name, and to the closest beginning of that name. An edit inserts, removes or replaces a
 * UTF-16 unit, or swaps two adjacent ones. A distance above `maxEdits` is returned as `maxEdits + 1`. The cost is
 * `text.length * maxEdits`, however long the name is.
 */
export function editsBetween(text: Units, name: Units, maxEdits: number): { whole: number; beginning: number } {
  const beyond = maxEdits + 1;
  if (name.length < text.length - maxEdits) return { whole: beyond, beginning: beyond };
  const width = Math.min(name.length, text.length + maxEdits);
  // Only cells within `maxEdits` of the diagonal can have a distance in range; only these are read from the three rows.
  let [older, old, row] = rowsOf(width + 1);
  for (const each of [older, old, row]) each.fill(beyond, 0, width + 1);
  for (let to = 0; to <= Math.min(maxEdits, width); to++) old[to] = to;
  let leastOfOld = 0;
  for (let from = 1; from <= text.length; from++) {
    const first = from - maxEdits;
    if (first <= 0) row[0] = from;
    else row[first - 1] = beyond;
    let least = first <= 0 ? from : beyond;
    for (let to = Math.max(1, first); to <= Math.min(width, from + maxEdits); to++) {
      const isSame = text.at(from - 1) === name.at(to - 1);
      let edits = old[to - 1] + (isSame ? 0 : 1);
      if (old[to] < edits) edits = old[to] + 1;
      if (row[to - 1] < edits) edits = row[to - 1] + 1;
      if (from > 1 && to > 1 && older[to - 2] < edits && isSwap(text, from, name, to)) edits = older[to - 2] + 1;
      row[to] = Math.min(edits, beyond);
      if (edits < least) least = edits;
    }
    // A swap continues the row before the last one.
    if (least > maxEdits && leastOfOld > maxEdits) return { whole: beyond, beginning: beyond };
    leastOfOld = least;
    [older, old, row] = [old, row, older];
  }
  let beginning = beyond;
  for (let to = Math.max(0, text.length - maxEdits); to <= width; to++) if (old[to] < beginning) beginning = old[to];
  return { whole: name.length > width ? beyond : old[width], beginning };
}

let knownRows = [0, 1, 2].map(() => new Uint8Array(256));

/** Three rows of at least a length; the next call gets the same ones. */
function rowsOf(length: number): Uint8Array[] {
  if (knownRows[0].length < length) knownRows = knownRows.map(() => new Uint8Array(length * 2));
  return knownRows;
}

function isSwap(text: Units, from: number, name: Units, to: number): boolean {
  return text.at(from - 1) === name.at(to - 2) && text.at(from - 2) === name.at(to - 1);
}
