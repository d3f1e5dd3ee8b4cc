import { OccurrenceRange, RangeMap } from './occurrence-range';

describe('ranges of occurrences', () => {
  it('are cut at what entries cover', () => {
    const map = new RangeMap([
      { range: steps(7, 7), value: 'c' },
      { range: steps(2, 3), value: 'a' },
      { range: steps(4, 5), value: 'b' },
    ]);
    const parts = map.cut(steps(3, 9)).map(({ range, value }) => [range.first, range.last, value]);
    expect(parts).toEqual([
      [3, 3, 'a'],
      [4, 5, 'b'],
      [6, 6, undefined],
      [7, 7, 'c'],
      [8, 9, undefined],
    ]);
    expect([map.at(steps(5, 5)), map.at(steps(1, 1)), map.at(steps(2, 2, 'g2:every'))]).toEqual([
      'b',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['one inside another', [steps(1, 3), steps(2, 2)]],
    ['the same end', [steps(5, 5), steps(1, 5)]],
    ['the same occurrence', [steps(1, 1, '2026-11'), steps(1, 1, '2026-11')]],
  ])('are refused when they overlap: %s', (_what, ranges) => {
    expect(() => new RangeMap(ranges.map((range) => ({ range, value: true })))).toThrow(TypeError);
  });
});

function steps(first: number, last: number, series = 'g1:every'): OccurrenceRange {
  return { series, first, last };
}
