import { Part } from './tally';

/**
 * The merged parts of a term in the order of their buckets, in one array: a bucket, its part, the next bucket … Nearly all events
 * belong to the last bucket, so that searches begin there.
 */
export class TermBuckets {
  constructor(readonly flat: (number | Part)[] = []) {}

  /** Takes buckets in any order; each occurs once. They are in order already where no late event has added one. */
  static from(parts: Iterable<readonly [number, Part]>): TermBuckets {
    const flat: (number | Part)[] = [];
    const others: [number, Part][] = [];
    let last = -Infinity;
    for (const [bucket, part] of parts) {
      if (bucket < last) others.push([bucket, part]);
      else {
        last = bucket;
        flat.push(bucket, part);
      }
    }
    const buckets = new TermBuckets(flat);
    for (const [bucket, part] of others) buckets.set(bucket, part);
    return buckets;
  }

  get(bucket: number): Part | undefined {
    const at = this.placeOf(bucket);
    return this.flat[at] === bucket ? this.flat[at + 1] : undefined;
  }

  set(bucket: number, part: Part): void {
    const at = this.placeOf(bucket);
    if (this.flat[at] === bucket) this.flat[at + 1] = part;
    else if (at === this.flat.length) this.flat.push(bucket, part);
    else this.flat.splice(at, 0, bucket, part);
  }

  /** Removes the buckets that begin before a second. */
  dropBefore(bucket: number): void {
    let at = 0;
    while (at < this.flat.length && (this.flat[at] as number) < bucket) at += 2;
    if (at > 0) this.flat.splice(0, at);
  }

  /** The index of the first bucket that is not before the given one. */
  placeOf(bucket: number): number {
    let at = this.flat.length;
    while (at > 0 && (this.flat[at - 2] as number) >= bucket) at -= 2;
    return at;
  }
}
