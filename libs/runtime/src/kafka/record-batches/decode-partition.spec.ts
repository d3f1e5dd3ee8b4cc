import { gzipSync } from 'node:zlib';
import { BatchOptions, BatchRecord, recordBatch, withChecksum } from '@podium/testing/record-batch';
import fc from 'fast-check';
import { DecodeLimits, DecodedPartition, decodePartition } from './decode-partition';
import javaBatches from './fixtures/java-batches.json';

const many = (count: number): BatchRecord[] => Array.from({ length: count }, (_, index) => ({ value: `v${index}` }));

function decode(
  bytes: Buffer,
  { position = 0n, highWatermark = 1_000n, firstIsWhole = true }: Partial<Parameters<typeof decodePartition>[0]> = {},
  limits?: DecodeLimits,
): Promise<DecodedPartition> {
  return decodePartition({ bytes, position, highWatermark, firstIsWhole }, limits);
}

const valuesOf = ({ messages }: DecodedPartition): (string | null)[] =>
  messages.map(({ value }) => value?.toString() ?? null);

describe('decoding the batches of a partition', () => {
  it.each(Object.entries(javaBatches.segments))('reads batches of the Java client with %s', async (_codec, segment) => {
    const decoded = await decode(Buffer.from(segment, 'base64'));
    expect(decoded.undecodable).toBeUndefined();
    expect(decoded.lastOffset).toBe(39n);
    expect(decoded.messages).toHaveLength(40);
    for (const [index, message] of decoded.messages.entries()) {
      expect(message).toMatchObject({ offset: String(index), timestamp: String(1_795_176_000_000 + index) });
      expect(String(message.key)).toBe(`key-${index}`);
      const value = index % 10 === 9 ? null : { n: index, text: 'abé'.repeat(index) };
      expect(message.value && JSON.parse(String(message.value))).toEqual(value);
      expect(message.headers).toEqual({ h: [Buffer.from(`v${index}`), Buffer.alloc(0)] });
    }
  });

  it('leaves out records before the position, and a truncated batch', async () => {
    const first = recordBatch(many(5), { firstOffset: 10n });
    const second = recordBatch(many(5), { firstOffset: 15n });
    const decoded = await decode(Buffer.concat([first, second, first.subarray(0, 70)]), { position: 13n });
    expect(decoded.messages.map(({ offset }) => Number(offset))).toEqual([13, 14, 15, 16, 17, 18, 19]);
    expect(decoded.lastOffset).toBe(19n);
    expect(decoded.undecodable).toBeUndefined();
  });

  it('passes gaps of compaction, and batches that compaction emptied', async () => {
    const kept = recordBatch(
      [
        { value: 'a', offsetDelta: 2 },
        { value: 'b', offsetDelta: 5 },
      ],
      { lastOffsetDelta: 9 },
    );
    const emptied = recordBatch([], { firstOffset: 20n, lastOffsetDelta: 4, codec: 1 });
    const decoded = await decode(Buffer.concat([kept, emptied]));
    expect(decoded.messages.map(({ offset }) => offset)).toEqual(['2', '5']);
    expect(decoded.lastOffset).toBe(24n);
  });

  it('stops at its limits, continues in the middle of a batch, and always returns one record', async () => {
    const large = recordBatch(
      Array.from({ length: 10 }, (_, index) => ({ value: `${index}`.repeat(1_000) })),
      { codec: 1, compress: (raw) => gzipSync(raw) },
    );
    const bytes = Buffer.concat([large, recordBatch(many(2), { firstOffset: 10n })]);
    const limits = { maxBytes: 2_500, maxRecords: 100 };
    const offsets: number[] = [];
    for (let position = 0n; position < 12n;) {
      const { messages } = await decode(bytes, { position }, limits);
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.length).toBeLessThan(5);
      offsets.push(...messages.map(({ offset }) => Number(offset)));
      position = BigInt(messages[messages.length - 1].offset) + 1n;
    }
    expect(offsets).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await decode(bytes, {}, { maxBytes: 1, maxRecords: 100 })).messages).toHaveLength(1);
    expect((await decode(bytes, {}, { maxBytes: 1e6, maxRecords: 3 })).messages).toHaveLength(3);
  });

  it('refuses a batch in which any bit covered by the checksum is changed', async () => {
    const good = recordBatch(many(3), { firstOffset: 7n });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 17, max: good.length - 1 }),
        fc.integer({ min: 0, max: 7 }),
        async (at, bit) => {
          const bytes = Buffer.concat([recordBatch(many(7)), good, recordBatch(many(1), { firstOffset: 10n })]);
          const start = bytes.length - good.length - recordBatch(many(1)).length;
          bytes[start + at] ^= 1 << bit;
          const decoded = await decode(bytes);
          expect(valuesOf(decoded)).toHaveLength(7);
          expect(decoded.undecodable).toMatchObject({ firstOffset: 7n, reason: 'wrong_checksum' });
          // Even if the last offset itself is corrupt, no offset behind the batch is reported.
          expect(decoded.undecodable!.lastOffset).toBeLessThanOrEqual(9n);
          expect(decoded.undecodable!.lastOffset).toBeGreaterThanOrEqual(7n);
        },
      ),
    );
  });

  it('never throws and never invents a record, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, firstIsWhole) => {
        const decoded = await decode(Buffer.from(bytes), { firstIsWhole });
        expect(decoded.messages).toEqual([]);
      }),
    );
  });

  it.each<[string, Partial<BatchOptions> & { records?: BatchRecord[] }, string]>([
    ['a codec that nobody knows', { codec: 5 }, 'unknown_codec'],
    [
      'compressed bytes that are none',
      { codec: 3, compress: () => Buffer.from('not lz4, and long enough') },
      'broken_compression',
    ],
    ['more records than it has', { recordCount: 4 }, 'broken_records'],
    ['fewer records than it has', { recordCount: 2 }, 'broken_records'],
    ['a count of records that would take the memory', { recordCount: 2 ** 31 - 1 }, 'broken_records'],
    ['a negative count of records', { recordCount: -1 }, 'broken_records'],
    ['records beyond its last offset', { lastOffsetDelta: 1 }, 'broken_records'],
    [
      'offsets that go back',
      { records: [{ offsetDelta: 2 }, { offsetDelta: 1 }], lastOffsetDelta: 2 },
      'broken_records',
    ],
    ['bytes that are no records', { compress: (raw) => Buffer.alloc(raw.length, 0xff) }, 'broken_records'],
  ])(
    'refuses a batch with %s, though its checksum is right',
    async (_what, { records = many(3), ...options }, reason) => {
      const bytes = Buffer.concat([recordBatch(many(5)), recordBatch(records, { firstOffset: 5n, ...options })]);
      const { undecodable, ...decoded } = await decode(bytes, { highWatermark: 8n });
      expect(valuesOf(decoded)).toHaveLength(5);
      expect(undecodable).toMatchObject({ position: 0n, firstOffset: 5n, reason });
      expect(undecodable!.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(undecodable!.lastOffset).toBeLessThan(8n);
    },
  );

  it('identifies the batch by offsets and bytes, from the position in it', async () => {
    const bad = recordBatch(many(6), { firstOffset: 40n, codec: 7 });
    const { undecodable } = await decode(bad, { position: 43n });
    expect(undecodable).toMatchObject({
      position: 43n,
      firstOffset: 40n,
      lastOffset: 45n,
      codec: 'codec 7',
      sizeBytes: bad.length,
    });
    const other = Buffer.from(bad);
    other[bad.length - 1] ^= 1;
    expect((await decode(withChecksum(other))).undecodable!.digest).not.toBe(undecodable!.digest);
  });

  describe('rejects an impossible last offset', () => {
    const claims = (lastOffsetDelta: number): Buffer =>
      recordBatch(many(3), { firstOffset: 5n, codec: 5, lastOffsetDelta });

    it('behind the next batch', async () => {
      const bytes = Buffer.concat([claims(500), recordBatch(many(1), { firstOffset: 9n })]);
      expect((await decode(bytes)).undecodable!.lastOffset).toBe(8n);
    });

    it('behind the end of the partition', async () => {
      expect((await decode(claims(5_000), { highWatermark: 8n })).undecodable!.lastOffset).toBe(7n);
    });

    it('before the position', async () => {
      expect((await decode(claims(-9), { position: 6n })).undecodable!.lastOffset).toBe(6n);
    });
  });

  it.each([
    ['of an older message format', 16, [1], 'message format 1'],
    ['with a negative length', 8, [0xff, 0xff, 0xff, 0x00], 'bytes'],
    ['with a length that no batch has', 8, [0x7f, 0, 0, 0], 'bytes'],
    ['with a length beyond what the broker has', 8, [0, 0, 9, 0], 'bytes'],
  ])('refuses a batch %s', async (_what, at, written, detail) => {
    const bytes = recordBatch(many(3), { firstOffset: 5n });
    Buffer.from(written).copy(bytes, at);
    const { undecodable, messages } = await decode(bytes, { highWatermark: 8n });
    expect(messages).toEqual([]);
    expect(undecodable).toMatchObject({ firstOffset: 5n, reason: 'unknown_format' });
    expect(undecodable!.detail).toContain(detail);
    expect(undecodable!.lastOffset).toBeLessThan(8n);
  });

  it('waits for a truncated first batch when the broker has used its quota for other partitions', async () => {
    const bytes = recordBatch(many(30)).subarray(0, 100);
    expect(await decode(bytes, { firstIsWhole: false })).toEqual({ messages: [], lastOffset: undefined });
  });
});
