import { HistoryEvent } from './history';
import { compareUtf8 } from './utf8-order';

/** Compares (created_at, id), ids by their bytes. */
export function isNewer(a: HistoryEvent, b: HistoryEvent): boolean {
  return compareEvents(a, b) > 0;
}

/** Orders events by (created_at, id), ids by their bytes. */
export function compareEvents(a: HistoryEvent, b: HistoryEvent): number {
  return a.createdAt - b.createdAt || compareUtf8(a.id, b.id);
}
