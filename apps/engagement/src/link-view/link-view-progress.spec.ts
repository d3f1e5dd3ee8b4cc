import { LinkViewProgress } from './link-view-progress';

describe('the progress of the link view', () => {
  it('passes a time once the view has what the topic had then, a second later', async () => {
    let nowMs = 100_000;
    let ends = [5n, 0n, 7n];
    const view = new Map<number, bigint>();
    const progress = new LinkViewProgress(
      { bounds: async () => ends.map((high) => ({ low: 0n, high })) },
      { loadAll: async () => view },
      () => nowMs,
    );
    expect(progress.passedS()).toBe(0);
    await progress.advance();
    view.set(0, 5n).set(2, 6n);
    // The view need not reach what is written meanwhile.
    ends = [50n, 1n, 70n];
    nowMs = 110_000;
    await progress.advance();
    expect(progress.passedS()).toBe(0);
    view.set(2, 7n);
    await progress.advance();
    expect(progress.passedS()).toBe(99);
    await progress.advance();
    expect(progress.passedS()).toBe(99);
    view.set(0, 50n).set(1, 1n).set(2, 70n);
    await progress.advance();
    expect(progress.passedS()).toBe(109);
  });
});
