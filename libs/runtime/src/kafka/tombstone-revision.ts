import { RecordHeaders } from './outcomes';

const header = 'revision';

/** The headers by which a tombstone says its revision: it has no value that could. */
export function tombstoneHeaders(revision: number): RecordHeaders {
  return { [header]: String(revision) };
}

/**
 * The revision of a tombstone: what has the same or a lower one is older than the removal, wherever and whenever it comes.
 * Null for a tombstone of a release that did not write it.
 */
export function tombstoneRevision(headers: RecordHeaders): number | null {
  const text = headers[header] as string | undefined;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
