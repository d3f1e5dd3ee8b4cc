import * as fc from 'fast-check';
import { rankKeyBits, rankKeyOf } from './rank-key';

const lowest = -(2 ** 31);
const highest = 2 ** 31 - 1;
const score = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: lowest, max: highest }));
const awkward = fc.string({ unit: fc.constantFrom(...'/09:@AFG`afgz-é漢\u{ffff}\u{1f600}'), maxLength: 6 });
const playerId = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  awkward,
  fc.string({ unit: 'binary' }),
);

describe('a rank key', () => {
  it('orders entries by score descending, then player id by UTF-8 bytes', () => {
    fc.assert(
      fc.property(score, playerId, score, playerId, (scoreA, idA, scoreB, idB) => {
        const ids = Buffer.compare(Buffer.from(idA), Buffer.from(idB));
        const byKey = Math.sign(rankKeyOf(scoreA, idA) - rankKeyOf(scoreB, idB)) || ids;
        expect(byKey).toBe(Math.sign(scoreB - scoreA) || ids);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is a safe integer of the declared width for every score', () => {
    expect(rankKeyOf(highest, '0000')).toBe(0);
    expect(rankKeyOf(lowest, 'ffff')).toBe(2 ** rankKeyBits - 1);
    expect(Number.isSafeInteger(2 ** rankKeyBits - 1)).toBe(true);
  });

  it('differs for one score between players whose ids begin with different hex digits', () => {
    const keys = Array.from({ length: 2 ** 16 }, (_, start) =>
      rankKeyOf(1000, `${start.toString(16).padStart(4, '0')}8e4c-9d0a-4a3f-8b5e-1f2a3b4c5d6e`),
    );
    expect(new Set(keys).size).toBe(2 ** 16);
  });
});
