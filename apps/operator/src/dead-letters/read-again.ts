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
import { quietLogger } from '../cli/servers';

/** What a reference led to: its records, or why there are none: its topic has them no longer, or other ones, or nobody can decode them. */
export type ReadAgain = readonly DeadLetter[] | 'gone' | 'undecodable';

/** Reads again what a dead letter refers to: each record as a dead letter of its own. `compacted` says how its topic ends. */
export async function readAgain(
  kafka: Kafka,
  letter: DeadLetter,
  reference: DeadLetterReference,
  compacted = false,
): Promise<ReadAgain> {
  const { kind, topic, partition, firstOffset, lastOffset, digest } = reference;
  const records: ScannedRecord[] = [];
  let isReadable = true;
  await scanTopics({
    kafka,
    logger: quietLogger,
    ranges: [{ topic, partition, from: firstOffset, to: lastOffset + 1n }],
    onRecords: (read) => void records.push(...read),
    onUndecodable: () => (isReadable = false),
    compacted,
  });
  if (!isReadable) return 'undecodable';
  if (records.length === 0) return 'gone';
  if (kind === 'record' && valueDigest(records[0].value) !== digest) return 'gone';
  const { [referenceHeader]: _, ...headers } = letter.rawHeaders;
  return records.map(({ key, value, offset, rawHeaders }) => {
    const place = kind === 'batch' && { [deadLetterHeaders.offset]: String(offset) };
    return { ...letter, key, value, rawHeaders: { ...rawHeaders, ...headers, ...place } };
  });
}
