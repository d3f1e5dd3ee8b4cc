import { retryDelayMs, setAsideDelayMs } from './backoff';

describe('the delay of a retry', () => {
  it('doubles from half a second to a minute', () => {
    const longest = [0, 1, 2, 3, 7, 8, 1000].map((attempt) => retryDelayMs(attempt, undefined, () => 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 60_000, 60_000, 60_000]);
  });

  it('is random in its upper half, so that clients do not come back together', () => {
    expect(retryDelayMs(3, undefined, () => 0)).toBe(2_000);
    expect(retryDelayMs(3, undefined, () => 0.5)).toBe(3_000);
  });

  it('comes on top of Retry-After', () => {
    expect(retryDelayMs(0, 2_000, () => 0)).toBe(2_250);
    expect(retryDelayMs(0, 2_000, () => 1)).toBe(2_500);
  });
});

describe('the delay of what was set aside', () => {
  it('doubles from Retry-After to an hour, and is never below Retry-After', () => {
    const delays = [0, 1, 2, 5, 6, 1000].map((attempt) => setAsideDelayMs(attempt, 60_000, () => 0));
    expect(delays).toEqual([60_000, 120_000, 240_000, 1_920_000, 3_600_000, 3_600_000]);
    expect(setAsideDelayMs(4, 7_200_000, () => 0)).toBe(7_200_000);
  });

  it('has a fifth of random delay on top', () => {
    expect(setAsideDelayMs(0, 60_000, () => 1)).toBe(72_000);
  });
});
