import * as fc from 'fast-check';
import { OffsetSet } from './offset-set';

describe('OffsetSet', () => {
  it('has exactly what was added, whatever the order', () => {
    const offsets = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 40 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(offsets, (added) => {
        const set = new OffsetSet();
        for (const [partition, offset] of added) set.add(partition, BigInt(offset));
        const known = new Set(added.map(String));
        for (let partition = 0; partition < 4; partition++)
          for (let offset = 0; offset <= 41; offset++)
            expect(set.has(partition, BigInt(offset))).toBe(known.has(String([partition, offset])));
      }),
    );
  });
});
