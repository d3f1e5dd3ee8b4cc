import { batchHeaderBytes, batchSizeAt, readBatchHeader } from '@podium/runtime/kafka/record-batches/batch-header';
import { decompress } from '@podium/runtime/kafka/record-batches/decompress';

/** Compressed records of a segment, with the offset in the file of the batch that holds them. */
export interface InflatedBatch {
  readonly offset: number;
  readonly records: Buffer;
}

/** The compressed batches of a segment of a Kafka log, inflated; the others are readable in the file itself. */
export async function inflatedBatches(segment: Buffer): Promise<InflatedBatch[]> {
  const batches: InflatedBatch[] = [];
  for (let at = 0; ;) {
    const size = batchSizeAt(segment, at);
    // A segment is allocated ahead: zeros follow its last batch.
    if (size === null || size < batchHeaderBytes || at + size > segment.length) return batches;
    const { magic, codec } = readBatchHeader(segment.subarray(at, at + size));
    if (magic === 2 && codec !== 0) {
      const records = await decompress(codec, segment.subarray(at + batchHeaderBytes, at + size)).catch(() => null);
      // Specs write batches that nobody can decode.
      if (records) batches.push({ offset: at, records });
    }
    at += size;
  }
}
