/** Slots for requests, a power of two; they take half a megabyte. */
const slotCount = 2 ** 17;

/**
 * Requests that were answered lately, as marks in a fixed amount of memory. A client that copies all data asks for most of it once:
 * entries of a cache for such requests would evict answers and keep the garbage collector busy. Each request has one slot, in
 * which the next one with the same slot replaces it.
 */
export class RecentRequests {
  private readonly marks = new Int32Array(slotCount);

  add(text: string): void {
    const { slot, mark } = placeOf(text);
    this.marks[slot] = mark;
  }

  /** Whether a request was added and not replaced since. One of four billion others is mistaken for it. */
  has(text: string): boolean {
    const { slot, mark } = placeOf(text);
    return this.marks[slot] === mark;
  }
}

/** The slot and the mark of a text, from two hashes (FNV-1a with two primes) that are independent of each other. */
function placeOf(text: string): { readonly slot: number; readonly mark: number } {
  let slot = 0x811c9dc5;
  let mark = 0x2545f491;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    slot = Math.imul(slot ^ unit, 0x01000193);
    mark = Math.imul(mark ^ unit, 0x85ebca6b);
    // The low bits of a product depend on the low bits of its factors alone.
    mark ^= mark >>> 15;
  }
  // Zero marks an empty slot.
  return { slot: (slot ^ (slot >>> 15)) & (slotCount - 1), mark: mark || 1 };
}
