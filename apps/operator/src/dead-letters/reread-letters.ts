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
import { quietLogger } from '../cli/server-connections';

/** The records of a reference; 'gone' when the topic has deleted or replaced them, 'undecodable' when decoding fails. */
export type ReadAgain = readonly DeadLetter[] | 'gone' | 'undecodable';

/** Re-reads the records that a dead letter refers to, each as a dead letter. */
export async function readAgain(kafka: Kafka, letter: DeadLetter, reference: DeadLetterReference): Promise<ReadAgain> {
  const { kind, topic, partition, firstOffset, lastOffset, digest } = reference;
  const records: ScannedRecord[] = [];
  let isReadable = true;
  await scanTopics({
    kafka,
    logger: quietLogger,
    ranges: [{ topic, partition, from: firstOffset, to: lastOffset + 1n }],
    onRecords: (read) => {
      for (const record of read) records.push(record);
    },
    onUndecodable: () => (isReadable = false),
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
