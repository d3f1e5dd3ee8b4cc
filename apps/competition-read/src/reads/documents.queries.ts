import { CompetitionKind } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { Tables } from '../projection/table-set';

/**
 * What tells a state of a document from all others that it had or will have: its revision, and the transaction that wrote
 * it, because a document that was forgotten may come back with a revision that it had.
 */
const version = `d.xmin::text || '.' || d.revision`;

/** A document's version, and its stored text unless that is the version given; null where there is no document. */
export async function documentUnlessVersion(
  db: Queryable,
  tables: Tables,
  known: { readonly kind: CompetitionKind; readonly id: string; readonly version: string },
): Promise<{ readonly version: string; readonly body: string | null } | null> {
  const { rows } = await db.query<{ version: string; body: string | null }>(
    `SELECT ${version} AS version, CASE WHEN ${version} = $3 THEN NULL ELSE d.body END AS body
     FROM ${tables.documents} d WHERE d.kind = $1 AND d.id = $2 AND d.body IS NOT NULL`,
    [known.kind, known.id, known.version],
  );
  return rows.length === 0 ? null : rows[0];
}

/** The documents of these ids that are there, in any order. */
export async function documentTexts(
  db: Queryable,
  tables: Tables,
  { kind, text }: { readonly kind: CompetitionKind; readonly text: 'body' | 'summary' },
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly version: string; readonly text: string }[]> {
  const { rows } = await db.query<{ id: string; version: string; text: string }>(
    `SELECT d.id, d.version, d.text FROM unnest($2::text[]) wanted (id)
     CROSS JOIN LATERAL (${documentOf(tables, '$1', 'wanted.id', `d.id, ${version} AS version, d.${text} AS text`)}) d
     WHERE d.text IS NOT NULL`,
    [kind, ids],
  );
  return rows;
}

/** A select of one document by its key; the limit keeps the planner from any other way to it than the key. */
export function documentOf(tables: Tables, kind: string, id: string, columns = `${version} AS version`): string {
  return `SELECT ${columns} FROM ${tables.documents} d WHERE d.kind = ${kind} AND d.id = ${id} AND d.body IS NOT NULL LIMIT 1`;
}

/** Whether a document is there. */
export async function hasDocument(db: Queryable, tables: Tables, kind: CompetitionKind, id: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM ${tables.documents} WHERE kind = $1 AND id = $2 AND body IS NOT NULL`,
    [kind, id],
  );
  return rows.length > 0;
}

/** A document with the texts of its organizer and its game, null where not asked for or not there. */
export interface ExpandedDocument {
  readonly body: string;
  readonly organizer: string | null;
  readonly game: string | null;
}

/** A document of a kind that names an organizer and a game, with these; null where there is none. */
export async function expandedDocument(
  db: Queryable,
  tables: Tables,
  kind: 'championship' | 'hub' | 'tournament',
  id: string,
  wanted: { organizer: boolean; game: boolean },
): Promise<ExpandedDocument | null> {
  const { rows } = await db.query<{ body: string; organizer: string | null; game: string | null }>(
    `SELECT d.body,
            CASE WHEN $3 THEN (
              SELECT o.body FROM ${tables.documents} o WHERE o.kind = 'organizer' AND o.id = ${textIn('organizer_id')}
            ) END AS organizer,
            CASE WHEN $4 THEN (
              SELECT g.body FROM ${tables.documents} g WHERE g.kind = 'game' AND g.id = ${textIn('game_id')}
            ) END AS game
     FROM ${tables.documents} d
     WHERE d.kind = $1 AND d.id = $2 AND d.body IS NOT NULL`,
    [kind, id, wanted.organizer, wanted.game],
  );
  return rows.length === 0 ? null : rows[0];
}

/** The text of the game that a game names as its parent, or null where one of the two is not there. */
export async function parentGameText(db: Queryable, tables: Tables, gameId: string): Promise<string | null> {
  const { rows } = await db.query<{ body: string | null }>(
    `SELECT p.body FROM ${tables.documents} d
     JOIN ${tables.documents} p ON p.kind = 'game' AND p.id = ${textIn('parent_game_id')}
     WHERE d.kind = 'game' AND d.id = $1 AND d.body IS NOT NULL`,
    [gameId],
  );
  return rows.length === 0 ? null : rows[0].body;
}

/** Whether a game is there and names a region among its own. */
export async function gameHasRegion(db: Queryable, tables: Tables, gameId: string, region: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM ${tables.documents} d
     WHERE d.kind = 'game' AND d.id = $1 AND d.body IS NOT NULL AND (${jsonIn('regions')})::jsonb ? $2`,
    [gameId, region],
  );
  return rows.length > 0;
}

/** The id of a hub's game as JSON text, or null where there is no such hub. */
export async function hubGameJson(db: Queryable, tables: Tables, hubId: string): Promise<string | null> {
  const { rows } = await db.query<{ game: string }>(
    `SELECT (${jsonIn('game_id')})::text AS game FROM ${tables.documents} d
     WHERE d.kind = 'hub' AND d.id = $1 AND d.body IS NOT NULL`,
    [hubId],
  );
  return rows.length === 0 ? null : rows[0].game;
}

/** A queue with what decides who may see it. */
export interface OwnedQueue {
  readonly body: string;
  readonly game: string;
  readonly organizer: string;
}

/** A queue, or null where there is none. */
export async function ownedQueue(db: Queryable, tables: Tables, queueId: string): Promise<OwnedQueue | null> {
  const { rows } = await db.query<{ body: string; game: string; organizer: string }>(
    `SELECT d.body, ${textIn('game')} AS game, ${textIn('organizerId')} AS organizer FROM ${tables.documents} d
     WHERE d.kind = 'queue' AND d.id = $1 AND d.body IS NOT NULL`,
    [queueId],
  );
  return rows.length === 0 ? null : rows[0];
}

/**
 * What the organizers of found competitions say of themselves, as objects' texts in the order of the given items; null
 * where the organizer is not there.
 */
export async function organizersOf(
  db: Queryable,
  tables: Tables,
  items: readonly string[],
): Promise<readonly (string | null)[]> {
  const { rows } = await db.query<{ organizer: string | null }>(
    `SELECT o.summary AS organizer
     FROM unnest($1::text[]) WITH ORDINALITY d (body, place)
     LEFT JOIN ${tables.documents} o ON o.kind = 'organizer' AND o.id = ${textIn('organizer_id')}
     ORDER BY d.place`,
    [items],
  );
  return rows.map(({ organizer }) => organizer);
}

/** A field of the document `d`: stored text is JSON once the mark of the public name stands for a word. */
function jsonIn(field: string): string {
  return `replace(d.body, E'\\x01', 'platform_')::json -> '${field}'`;
}

/** A field of the document `d` whose value is a string; the rest of the document is not looked into. */
function textIn(field: string): string {
  return `(${jsonIn(field)}) #>> '{}'`;
}
