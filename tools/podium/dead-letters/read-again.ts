import {
  DeadLetter,
  DeadLetterReference,
  Kafka,
  ScannedRecord,
  deadLetterHeaders,
  referenceHeader,
  scanTopics,
  valueDigest,
} from '@podium/runtime/kafka';
import { quietLogger } from '../servers';

/** What a reference led to: its records, or nothing, because it is not there any more or is not what it was. */
export type ReadAgain = readonly DeadLetter[] | 'gone';

/** Reads again what a dead letter refers to: each record as a dead letter of its own. `compacted` says how its topic ends. */
export async function readAgain(
  kafka: Kafka,
  letter: DeadLetter,
  reference: DeadLetterReference,
  compacted = false,
): Promise<ReadAgain> {
  const { kind, topic, partition, firstOffset, lastOffset, digest } = reference;
  const records: ScannedRecord[] = [];
  await scanTopics({
    kafka,
    logger: quietLogger,
    ranges: [{ topic, partition, from: firstOffset, to: lastOffset + 1n }],
    onRecords: (read) => void records.push(...read),
    compacted,
  });
  if (records.length === 0) return 'gone';
  if (kind === 'record' && valueDigest(records[0].value) !== digest) return 'gone';
  const { [referenceHeader]: _, ...headers } = letter.rawHeaders;
  return records.map(({ key, value, offset, rawHeaders }) => {
    const place = kind === 'batch' && { [deadLetterHeaders.offset]: String(offset) };
    return { ...letter, key, value, rawHeaders: { ...rawHeaders, ...headers, ...place } };
  });
}
