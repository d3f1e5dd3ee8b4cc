import { refreshDelayS } from './refresh-delay';

describe('the delay before a refresh token is sent again', () => {
  const delay = (sentBefore: number, retryAfterS?: number, random = 0): number =>
    refreshDelayS(sentBefore, retryAfterS, () => random);

  it('doubles, up to an hour', () => {
    expect([0, 1, 2, 8, 9, 5000].map((sent) => delay(sent))).toEqual([10, 20, 40, 2560, 3600, 3600]);
  });

  it('is at least what the partner asks for', () => {
    expect(delay(0, 120)).toBe(120);
    expect(delay(5, 120)).toBe(320);
  });

  it('is up to half as long again', () => {
    expect(delay(0, undefined, 0.5)).toBe(12.5);
    expect(refreshDelayS(0, undefined)).toBeLessThanOrEqual(15);
  });
});
