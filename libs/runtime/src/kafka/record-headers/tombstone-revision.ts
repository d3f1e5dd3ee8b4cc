import { RecordHeaders } from './text-headers';

const header = 'revision';

/** The headers with a tombstone's revision, because it has no value to hold it. */
export function tombstoneHeaders(revision: number): RecordHeaders {
  return { [header]: String(revision) };
}

/**
 * The revision of a tombstone: states with the same or a lower one are older than the removal, in any order of arrival.
 * Null for a tombstone of a release that did not write it.
 */
export function tombstoneRevision(headers: RecordHeaders): number | null {
  const text = headers[header] as string | undefined;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
