import fc from 'fast-check';
import { TermBuckets } from './term-buckets';

describe('buckets of a term', () => {
  it('are in order, in whichever order they were given', () => {
    const given = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { maxLength: 20 });
    fc.assert(
      fc.property(given, (buckets) => {
        const { flat } = TermBuckets.from(buckets.map((bucket) => [bucket, bucket * 10]));
        expect(flat).toEqual([...buckets].sort((a, b) => a - b).flatMap((bucket) => [bucket, bucket * 10]));
      }),
    );
  });
});
