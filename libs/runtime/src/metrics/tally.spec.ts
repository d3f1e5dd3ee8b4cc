import { Tally } from './tally';

it('gives the counts of each pair once', () => {
  const tally = new Tally();
  const taken = (): [string, string, number][] => {
    const counts: [string, string, number][] = [];
    tally.take((...count) => counts.push(count));
    return counts;
  };
  tally.add('a', 'x');
  tally.add('a', 'y', 3);
  tally.add('b', 'x');
  tally.add('a', 'x', 2);
  expect(taken()).toEqual([
    ['a', 'x', 3],
    ['a', 'y', 3],
    ['b', 'x', 1],
  ]);
  tally.add('b', 'x');
  expect(taken()).toEqual([['b', 'x', 1]]);
  expect(taken()).toEqual([]);
});
