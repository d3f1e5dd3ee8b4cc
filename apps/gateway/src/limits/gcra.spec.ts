import fc from 'fast-check';
import { Admission, admit, perSecond, shareOf } from './gcra';
import { defaultEventRate } from './event-rate';

const eventRate = defaultEventRate.cells;

/** Simulates arrivals (gap since the last in µs, count) and returns the times and numbers of admitted requests. */
function play(
  arrivals: readonly (readonly [number, number])[],
  rate = eventRate,
): { atUs: number; admitted: number }[] {
  let nowUs = 1_750_000_000_000_000;
  let arrivalUs: number | undefined;
  return arrivals.map(([gapUs, asked]) => {
    nowUs += gapUs;
    const admission: Admission = admit(rate, arrivalUs, nowUs, asked);
    arrivalUs = admission.arrivalUs;
    return { atUs: nowUs, admitted: admission.admitted };
  });
}

const arrivals = fc.array(
  fc.tuple(fc.oneof(fc.nat(1000), fc.nat(60_000), fc.nat(3_000_000)), fc.integer({ min: 1, max: 60 })),
  {
    minLength: 1,
    maxLength: 120,
  },
);

describe('the rate of 40 per second with a burst of 40', () => {
  it('admits at most 40·W + 40 in any window, whatever arrives (V4)', () => {
    fc.assert(
      fc.property(arrivals, (pattern) => {
        const played = play(pattern);
        for (let from = 0; from < played.length; from++) {
          let admitted = 0;
          for (let to = from; to < played.length; to++) {
            admitted += played[to].admitted;
            const windowS = (played[to].atUs - played[from].atUs) / 1e6;
            expect(admitted).toBeLessThanOrEqual(40 * windowS + 40 + 1e-9);
          }
        }
      }),
    );
  });

  it('admits at least 98 % of 40·W for a caller who requests that many', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 400_000 }), { minLength: 20, maxLength: 100 }), (gapsUs) => {
        // The demand always exceeds the rate, so the rate alone decides.
        const played = play(gapsUs.map((gapUs) => [gapUs, 100] as const));
        const windowS = (played[played.length - 1].atUs - played[0].atUs) / 1e6;
        const admitted = played.reduce((sum, moment) => sum + moment.admitted, 0);
        expect(admitted).toBeGreaterThanOrEqual(0.98 * 40 * windowS);
      }),
    );
  });

  it('admits every request of a caller below the rate', () => {
    const played = play(Array.from({ length: 4000 }, () => [25_000, 1] as const));
    expect(played.every(({ admitted }) => admitted === 1)).toBe(true);
  });

  it('decides for several requests at once as for one after the other', () => {
    fc.assert(
      fc.property(arrivals, (pattern) => {
        const together = play(pattern);
        const oneByOne = play(
          pattern.flatMap(([gapUs, asked]) =>
            Array.from({ length: asked }, (_, at) => [at === 0 ? gapUs : 0, 1] as const),
          ),
        );
        const total = (moments: { admitted: number }[]): number =>
          moments.reduce((sum, { admitted }) => sum + admitted, 0);
        expect(total(together)).toBe(total(oneByOne));
      }),
    );
  });

  it('returns the remaining requests and the retry time', () => {
    expect(admit(eventRate, undefined, 1_000_000, 3)).toEqual({
      admitted: 3,
      remaining: 37,
      arrivalUs: 1_075_000,
      resetUs: 75_000,
      retryUs: 0,
    });
    expect(admit(eventRate, undefined, 1_000_000, 50)).toEqual({
      admitted: 40,
      remaining: 0,
      arrivalUs: 2_000_000,
      resetUs: 1_000_000,
      retryUs: 25_000,
    });
  });

  it('recovers when the clock steps back by an hour, without a second burst', () => {
    const hourUs = 3_600_000_000;
    const used = admit(eventRate, undefined, 2 * hourUs, 40);
    const back = admit(eventRate, used.arrivalUs, hourUs, 5);
    expect(back.admitted).toBe(0);
    expect(admit(eventRate, back.arrivalUs, hourUs + 25_000, 5).admitted).toBe(1);
  });

  it('is divided so that the shares together keep rate and burst', () => {
    for (const instances of [1, 2, 3, 7, 40]) {
      const share = shareOf(eventRate, instances);
      expect(instances / (share.intervalUs / 1e6)).toBeCloseTo(40);
      expect(share.burst * instances).toBeLessThanOrEqual(40);
    }
  });

  it('supports any rate that a key may have, never above it and less than 1 % below', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (requests) => {
        const { intervalUs, burst } = perSecond(requests);
        expect(Number.isInteger(intervalUs)).toBe(true);
        expect(burst).toBe(requests);
        expect(1e6 / intervalUs).toBeLessThanOrEqual(requests);
        expect(1e6 / intervalUs).toBeGreaterThan(0.99 * requests);
      }),
    );
  });
});
