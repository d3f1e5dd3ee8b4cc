import {
  CompetitionChange,
  CompetitionKind,
  changedDocument,
  competitionIdOf,
  competitionKey,
  isCompetitionKind,
  recordKeyParts,
} from '@podium/messages';
import type { DocumentContent } from './document-content';
import { repeatedLength } from './player-rounds';
import { contentOf } from './project';

/** A valid change of one document. */
export type DocumentChange =
  | { readonly what: 'put'; readonly revision: number; readonly content: DocumentContent }
  | { readonly what: 'delete'; readonly revision: number; readonly content: DocumentKey }
  /** A tombstone: deletes the document and its revision. */
  | { readonly what: 'forget'; readonly content: DocumentKey };

/** Identifies a document. */
export interface DocumentKey {
  readonly kind: CompetitionKind;
  readonly id: string;
}

/** Most that the statistics of a match may repeat for its players: a larger text for each would end the process. */
const maxRepeatedLength = 8 * 1024 * 1024;

/** A change, or the reason why the record is invalid. */
export type ReadChange =
  { readonly ok: true; readonly change: DocumentChange } | { readonly ok: false; readonly reason: string };

/**
 * Reads a record that its schema allows (null is a tombstone). Refuses an id that differs from the document's, a key that
 * differs from the id's (compaction and order depend on the key), and values that no column can store.
 */
export function readRecord(key: string, record: CompetitionChange | null): ReadChange {
  if (record === null) return readTombstone(key);
  const { kind, id } = changedDocument(record);
  if (key !== competitionKey(kind, id)) return refuse(`the record key is not that of ${kind} ${id}`);
  return readChange(record);
}

/** Like `readRecord`, for a change without a record key. */
export function readChange(change: CompetitionChange): ReadChange {
  const { revision } = change;
  const { kind, id } = changedDocument(change);
  if (!Number.isSafeInteger(revision)) return refuse('revision is above 2^53 - 1');
  const content = contentOf(change);
  if (content === null) return { ok: true, change: { what: 'delete', revision, content: { kind, id } } };
  const expected = competitionIdOf(content.kind, content.document, content.beside);
  if (expected !== null && expected !== id)
    return refuse(`data.id is ${JSON.stringify(id)}, the document's own is ${JSON.stringify(expected)}`);
  if (content.kind === 'match-stats' && repeatedLength(content.document.rounds) > maxRepeatedLength)
    return refuse(
      `the statistics have more than ${maxRepeatedLength} characters when they are repeated for each player`,
    );
  return { ok: true, change: { what: 'put', revision, content } };
}

/** The document that a record key identifies; null for a text that is not the key of a document. */
export function documentOfKey(key: string): DocumentKey | null {
  const parts = recordKeyParts(key);
  const [kind, id] = parts ?? [];
  if (parts?.length !== 2 || !isCompetitionKind(kind) || id === '' || key !== competitionKey(kind, id)) return null;
  return { kind, id };
}

function readTombstone(key: string): ReadChange {
  const content = documentOfKey(key);
  if (content === null) return refuse('the key of the tombstone is not that of a document');
  if (content.id.includes('\0')) return refuse('the key of the tombstone contains NUL');
  return { ok: true, change: { what: 'forget', content } };
}

function refuse(reason: string): ReadChange {
  return { ok: false, reason };
}
