import { DueHeap, Scheduled } from './due-heap';

/** Numbers that look random and are the same in each run. */
function draws(): (below: number) => number {
  let state = 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

describe('DueHeap', () => {
  it('has what is due first, whatever is added, moved and removed', () => {
    const draw = draws();
    const heap = new DueHeap<Scheduled>();
    const items: Scheduled[] = [];
    for (let step = 0; step < 20_000; step++) {
      const kind = draw(4);
      if (kind < 2 || items.length === 0) {
        const added = { dueAtMs: draw(1_000), place: -1 };
        items.push(added);
        heap.put(added);
      } else if (kind === 2) {
        const moved = items[draw(items.length)];
        moved.dueAtMs = draw(1_000);
        heap.put(moved);
      } else {
        // More than are added, now and then, so that it is empty too.
        for (const removed of items.splice(draw(items.length), draw(5))) heap.remove(removed);
      }
      expect(heap.first?.dueAtMs ?? Infinity).toBe(Math.min(...items.map(({ dueAtMs }) => dueAtMs)));
    }
    for (const removed of items) heap.remove(removed);
    expect(heap.first).toBeUndefined();
  });

  it('ignores what it does not have', () => {
    const heap = new DueHeap<Scheduled>();
    const there = { dueAtMs: 1, place: -1 };
    heap.put(there);
    heap.remove({ dueAtMs: 0, place: -1 });
    expect(heap.first).toBe(there);
  });
});
