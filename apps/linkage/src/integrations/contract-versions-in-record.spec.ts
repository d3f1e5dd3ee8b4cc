import { ContractVersion } from '@podium/messages';
import fc from 'fast-check';
import { contractsInForce, fitsFrom } from './contract-versions-in-record';

const hourMs = 3_600_000;
const now = 100 * hourMs;
const version = (number: number, fromHour: number): ContractVersion => ({
  version: number,
  in_force_from: fromHour * hourMs,
  events: [],
});
const kept = (...versions: ContractVersion[]) => contractsInForce(versions, now).map(({ version }) => version);

describe('contractsInForce', () => {
  it('includes the version in force, future versions, and versions superseded within the last hour', () => {
    expect(kept(version(1, 10))).toEqual([1]);
    expect(kept(version(1, 10), version(2, 98.9))).toEqual([2]);
    expect(kept(version(1, 10), version(2, 99.5))).toEqual([1, 2]);
    expect(kept(version(1, 10), version(2, 120))).toEqual([1, 2]);
  });

  it('leaves out a version that a later one replaced before its start', () => {
    expect(kept(version(1, 10), version(2, 120), version(3, 99.9))).toEqual([1, 3]);
    expect(kept(version(1, 10), version(2, 99.9), version(3, 99.9))).toEqual([1, 3]);
  });

  it('selects the same version as the whole list for every time since an hour ago', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 8 }),
        fc.integer({ min: 99, max: 200 }),
        (hours, at) => {
          const all = hours.map((hour, index) => version(index + 1, hour));
          const some = contractsInForce(all, now);
          const atTime = (versions: ContractVersion[]) =>
            versions.findLast((v) => v.in_force_from <= at * hourMs)?.version;
          expect(atTime(some)).toBe(atTime(all));
          const times = some.map((v) => v.in_force_from);
          expect(times).toEqual([...times].sort((a, b) => a - b));
        },
      ),
    );
  });
});

describe('fitsFrom', () => {
  /** Of a third of what fits into a record. */
  const large = (number: number, fromHour: number): ContractVersion => ({
    ...version(number, fromHour),
    events: [{ name: 'x'.repeat(340_000), kind: 'one_off', attributes: [] }],
  });
  const fromHour = (...versions: ContractVersion[]) => (fitsFrom(versions, now) - 1) / hourMs;

  it('is at once while all versions of the record fit', () => {
    expect(fitsFrom([version(1, 100)], now)).toBe(now);
    expect(fitsFrom([large(1, 99.1), large(2, 99.2), large(3, 100)], now)).toBe(now);
    expect(fitsFrom([large(1, 10), large(2, 20), large(3, 30), large(4, 40), large(5, 100)], now)).toBe(now);
  });

  it('is an hour after enough of the others were superseded', () => {
    expect(fromHour(large(1, 99.1), large(2, 99.2), large(3, 99.3), large(4, 100))).toBeCloseTo(100.2, 6);
    expect(fromHour(large(1, 99.1), large(2, 99.2), large(3, 99.3), large(4, 99.4), large(5, 100))).toBeCloseTo(
      100.3,
      6,
    );
  });

  it('waits for scheduled versions that precede it, not for those that it replaces', () => {
    const others = [large(1, 10), large(2, 110), large(3, 120)];
    expect(fromHour(...others, large(4, 130))).toBeCloseTo(111, 6);
    expect(fitsFrom([...others, large(4, 105)], now)).toBe(now);
  });
});
