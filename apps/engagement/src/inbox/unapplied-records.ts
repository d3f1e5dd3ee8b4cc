import { userEventRecordId } from '@podium/messages';
import type { BatchPlace } from '@podium/runtime/consumers';
import type { RecordBatch } from '@podium/runtime/kafka';
import type { ReadingGap } from './reading-gaps.store';

/** What a batch passes in its partition without applying it. */
export interface UnappliedRecords {
  readonly firstOffset: bigint;
  /** Hex of the digests of events that are dead letters. */
  readonly deadDigests: readonly string[];
  /** Operators let the group pass a batch that cannot be decoded. */
  readonly isUnread: boolean;
}

/** What a batch of the consumer passes without handing it to the handler. */
export function unappliedOf(batch: Pick<RecordBatch, 'firstOffset' | 'deadRecords' | 'isUnread'>): UnappliedRecords {
  return {
    firstOffset: batch.firstOffset,
    deadDigests: (batch.deadRecords ?? []).flatMap(({ value }) => deadDigestOf(value) ?? []),
    isUnread: batch.isUnread ?? false,
  };
}

/** The offsets that a batch passes and that nobody has read. */
export function readingGaps(
  { topic, partition, position, nextOffset }: BatchPlace,
  { firstOffset, isUnread }: UnappliedRecords,
): ReadingGap[] {
  const place = { topic, partition };
  const gaps: ReadingGap[] = [];
  const from = position ?? 0n;
  // Nothing writes events in transactions, so every offset is a record: what is missing has expired.
  if (from !== 'any' && firstOffset > from)
    gaps.push({ ...place, fromOffset: from, untilOffset: firstOffset, cause: 'expired' });
  if (isUnread) gaps.push({ ...place, fromOffset: firstOffset, untilOffset: nextOffset, cause: 'undecodable' });
  return gaps;
}

/**
 * The digest of an event whose record could not be decoded, such as one of a later release. Undefined for a value without an
 * event id: ingestion never wrote it and no partner got a 200 for it, because damage on the way fails the checksum.
 */
function deadDigestOf(value: Buffer | null): string | undefined {
  if (value === null) return undefined;
  try {
    const { data } = JSON.parse(value.toString('utf8')) as { data?: { platform?: unknown; event?: { id?: unknown } } };
    const platform = data?.platform;
    const id = data?.event?.id;
    return typeof platform === 'string' && typeof id === 'string' ? userEventRecordId(platform, id) : undefined;
  } catch {
    return undefined;
  }
}
