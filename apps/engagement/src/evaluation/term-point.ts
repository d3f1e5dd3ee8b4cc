import { addDecimals } from './exact-decimal';
import { compareUtf8 } from './utf8-order';

/**
 * A part of the running state of one definition for one user: the aggregate of the events of one term in one time bucket.
 * Points of equal (term, bucket) are merged. Merging is commutative and associative, so the order of arrival does not matter.
 */
export interface TermPoint {
  /** Index of the term within its definition; stable for a generation. */
  term: number;
  /** Unix seconds at which the bucket starts; 0 for terms that keep one total. */
  bucket: number;
  /** Number of events. */
  count: number;
  /** Exact decimal; `0` for terms that do not sum. */
  sum: string;
  /** Unix seconds of the newest event; null where the bucket itself is that second (second grain, no `latest` term). */
  latestAt: number | null;
  /** Its event id for `latest` terms, else `''`; null exactly when `latestAt` is, so that SQL may compare the pair as a row. */
  latestId: string | null;
  /** Whether the newest event passes the tests of a `latest` term; null for other terms. */
  latestHolds: boolean | null;
}

/** Merges two points of equal (term, bucket): count and sum add, the latest is that of the greater (latestAt, latestId). */
export function mergePoint(a: TermPoint, b: TermPoint): TermPoint {
  const newest = isNewer(b, a) ? b : a;
  return {
    term: a.term,
    bucket: a.bucket,
    count: a.count + b.count,
    sum: addDecimals(a.sum, b.sum),
    latestAt: newest.latestAt,
    latestId: newest.latestId,
    latestHolds: newest.latestHolds,
  };
}

/** Merges points of one user, definition and generation to at most one per (term, bucket). */
export function mergePoints(points: Iterable<TermPoint>): TermPoint[] {
  const merged = new Map<string, TermPoint>();
  for (const point of points) {
    const key = `${point.term}/${point.bucket}`;
    const known = merged.get(key);
    merged.set(key, known ? mergePoint(known, point) : point);
  }
  return [...merged.values()];
}

/** Whether `a` has the greater (latestAt, latestId); ids compare by UTF-8 bytes. */
function isNewer(a: TermPoint, b: TermPoint): boolean {
  if (a.latestAt === null || b.latestAt === null) return b.latestAt === null && a.latestAt !== null;
  if (a.latestAt !== b.latestAt) return a.latestAt > b.latestAt;
  return compareUtf8(a.latestId ?? '', b.latestId ?? '') > 0;
}
