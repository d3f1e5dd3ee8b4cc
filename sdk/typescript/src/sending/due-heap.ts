/** Something that is due at a time. */
export interface Scheduled {
  dueAtMs: number;
  /** Where the heap has it; -1 when it is not in the heap. */
  place: number;
}

/** A binary heap: what is due first is found at once, however much there is. */
export class DueHeap<T extends Scheduled> {
  private readonly items: T[] = [];

  /** What is due first. */
  get first(): T | undefined {
    return this.items.at(0);
  }

  /** Adds an item, or gives it the place of its new time. */
  put(item: T): void {
    if (item.place < 0) item.place = this.items.push(item) - 1;
    this.settle(item);
  }

  /** Removes an item, if it is there. */
  remove(item: T): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.items.pop();
    if (!last || last === item) return;
    this.set(last, place);
    this.settle(last);
  }

  private settle(item: T): void {
    for (let above = this.items[(item.place - 1) >> 1]; item.place > 0; above = this.items[(item.place - 1) >> 1]) {
      if (above.dueAtMs <= item.dueAtMs) break;
      this.swap(item, above);
    }
    for (let below = this.firstBelow(item); below && below.dueAtMs < item.dueAtMs; below = this.firstBelow(item))
      this.swap(item, below);
  }

  private firstBelow({ place }: T): T | undefined {
    const [left, right] = [this.items.at(2 * place + 1), this.items.at(2 * place + 2)];
    return left && right && right.dueAtMs < left.dueAtMs ? right : left;
  }

  private swap(one: T, other: T): void {
    const { place } = one;
    this.set(one, other.place);
    this.set(other, place);
  }

  private set(item: T, place: number): void {
    item.place = place;
    this.items[place] = item;
  }
}
