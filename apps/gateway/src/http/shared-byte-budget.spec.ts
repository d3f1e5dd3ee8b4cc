import { SharedByteBudget } from './shared-byte-budget';

describe('SharedByteBudget', () => {
  it('gives a caller its part, others theirs, and nobody more than the whole', () => {
    const shared = new SharedByteBudget({ maxBytes: 100, maxBytesPerCaller: 60 });
    const [a, b] = [shared.of('a'), shared.of('b')];
    expect([a.take(60), a.take(1), b.take(41), b.take(40), shared.of('c').take(1)]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    a.release(60);
    expect(shared.callers()).toBe(1);
    expect([b.take(21), b.take(20), shared.of('a').take(40)]).toEqual([false, true, true]);
    b.release(60);
    shared.of('a').release(40);
    expect(shared.callers()).toBe(0);
  });
});
