import { UsageError } from '../cli/usage-error';
import { startsOf } from './order-replay';

const bounds = [{ low: 0n }, { low: 40n }, { low: 7n }];

describe('where a replay starts', () => {
  it('is the asked offset, or the oldest record of a partition that does not reach back that far', () => {
    const asked = new Map([
      [0, 12n],
      [1, 12n],
    ]);
    expect([...startsOf(asked, bounds, 'events')]).toEqual([
      [0, 12n],
      [1, 40n],
    ]);
  });

  it('is nowhere in a partition that the topic does not have: that is wrong usage, with exit code 2', () => {
    const start = () => startsOf(new Map([[3, 0n]]), bounds, 'events');
    expect(start).toThrow(UsageError);
    expect(start).toThrow('events has no partition 3; it has 0 to 2.');
  });
});
