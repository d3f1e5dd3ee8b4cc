import * as fc from 'fast-check';
import { Partitioners } from 'kafkajs';
import { partitionOf } from './partitioner';

describe('partitionOf', () => {
  const javaCompatible = Partitioners.DefaultPartitioner();
  const expected = (key: string, partitions: number): number =>
    javaCompatible({
      topic: 'any',
      partitionMetadata: Array.from({ length: partitions }, (_, partitionId) => ({
        partitionErrorCode: 0,
        partitionId,
        leader: 1,
        replicas: [1],
        isr: [1],
      })),
      message: { key, value: null },
    });

  it('agrees with the Java-compatible partitioner for any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (key, partitions) => {
        expect(partitionOf(key, partitions)).toBe(expected(key, partitions));
      }),
      { numRuns: 2_000 },
    );
  });

  // From UtilsTest.testMurmur2 of the Java client: hash of "21" is -973932308, of "foobar" -790332482.
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
  ])('hashes %s as the Java client does', (key, hash) => {
    expect(partitionOf(key, 1_000_003)).toBe((hash & 0x7fffffff) % 1_000_003);
  });
});
