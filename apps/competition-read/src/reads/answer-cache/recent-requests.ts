/** Slots for requests, a power of two; they take a megabyte with those of the former period. */
const slotCount = 2 ** 17;

/** A request that comes again after two of these periods is a first one again. */
const periodMs = 10 * 60_000;

/**
 * Requests that were answered lately, as marks in a fixed amount of memory. A client that copies all data asks for most of it once in
 * a long time: entries of a cache for such requests would evict answers and keep the garbage collector busy. Each request has one
 * slot, in which the next one with the same slot replaces it.
 */
export class RecentRequests {
  private marks = new Int32Array(slotCount);
  private former = new Int32Array(slotCount);
  private beganMs: number;

  constructor(private readonly now: () => number) {
    this.beganMs = now();
  }

  add(text: string): void {
    this.passPeriods();
    const { slot, mark } = placeOf(text);
    this.marks[slot] = mark;
  }

  /** Whether a request was added and not replaced since. One of two billion others is mistaken for it. */
  has(text: string): boolean {
    this.passPeriods();
    const { slot, mark } = placeOf(text);
    return this.marks[slot] === mark || this.former[slot] === mark;
  }

  private passPeriods(): void {
    const passed = Math.floor((this.now() - this.beganMs) / periodMs);
    if (passed < 1) return;
    [this.marks, this.former] = [this.former, this.marks];
    this.marks.fill(0);
    if (passed > 1) this.former.fill(0);
    this.beganMs += passed * periodMs;
  }
}

/** The slot and the mark of a text, from two hashes by multiplication that are independent of each other. */
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
