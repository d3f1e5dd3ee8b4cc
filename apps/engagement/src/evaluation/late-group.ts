import { HistoryEvent } from './history';
import { Part } from './tally';

/**
 * Late events that were received in one quarter of an hour, merged: all of them are seen at the second in which the last one was
 * received. One event stands for them where an event is asked for.
 */
export interface LateGroup {
  /** The newest by (created_at, id), with the `receivedAt` of the one that was received last. */
  readonly newest: HistoryEvent;
  /** Parts by term id and bucket. A term that is missing has to be computed from the stored events first. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<number, Part>>;
}

/** A merged part of a term that is seen from a second on. */
export interface SeenPart {
  /** Stands for the events of the part. */
  readonly event: HistoryEvent;
  readonly seenAt: number;
  readonly bucket: number;
  readonly part: Part;
}

/** The parts of a term in groups, each with its second. */
export function seenParts(groups: readonly LateGroup[], termId: string): SeenPart[] {
  return groups.flatMap(({ newest, parts }) =>
    [...(parts.get(termId) ?? [])].map(([bucket, part]) => ({
      event: newest,
      seenAt: newest.receivedAt,
      bucket,
      part,
    })),
  );
}

/** Days and hours of all zones begin at quarters of an hour. */
const quarterS = 900;

/** The quarter of an hour of a receipt: late events of one quarter are in one group. */
export function quarterOf(receivedAt: number): number {
  return Math.floor(receivedAt / quarterS);
}
