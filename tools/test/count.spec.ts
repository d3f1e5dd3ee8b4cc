import { closingLines } from './count';

describe('the end of a run', () => {
  it('is the sum of all counts, in the last line', () => {
    const counts = [
      { passed: 2, failed: 0 },
      { passed: 3, failed: 1, skipped: [] },
    ];
    expect(closingLines(counts)).toBe('\n5 passed, 1 failed');
  });

  it('names what did not run, before the last line', () => {
    const counts = [
      { passed: 2, failed: 0, skipped: ['a.spec.ts: is asked'] },
      { passed: 0, failed: 0, skipped: ['b.spec.ts: links'] },
    ];
    expect(closingLines(counts)).toBe('\n2 skipped: a.spec.ts: is asked; b.spec.ts: links\n2 passed, 0 failed');
  });
});
