import { CompetitionDocument, CompetitionKind, servedText } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { Tables } from '../../table-sets/table-set';

/**
 * The version of a document: its revision and the transaction that wrote it. The revision alone is not unique, because
 * a document may be forgotten by a tombstone and come back with an earlier revision.
 */
const version = `d.xmin::text || '.' || d.revision`;

/** A document's version, and its stored text unless it has the given version; null if there is no document. */
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

/** A stored text with its version. */
export interface DocumentText {
  readonly id: string;
  readonly version: string;
  /** Null if the document has the known version. */
  readonly text: string | null;
}

/**
 * The existing documents with these ids, in any order; each is looked up once. Null if their texts have more than `maxBytes`
 * together, also those that are not returned: the lengths are known before anything is read.
 */
export async function documentTextsUnlessVersions(
  db: Queryable,
  tables: Tables,
  { kind, text }: { readonly kind: CompetitionKind; readonly text: 'body' | 'summary' },
  known: readonly { readonly id: string; readonly version: string }[],
  maxBytes: number,
): Promise<readonly DocumentText[] | null> {
  const { rows } = await db.query<DocumentText & { readonly fits: boolean }>(
    `SELECT id, version, fits, CASE WHEN fits THEN text END AS text
     FROM (
       SELECT known.id, d.version, CASE WHEN d.version <> known.version THEN d.text END AS text,
         sum(octet_length(d.text)) OVER () <= $4::bigint AS fits
       FROM unnest($2::text[], $3::text[]) AS known (id, version)
       CROSS JOIN LATERAL (
         SELECT ${version} AS version, d.${text} AS text FROM ${tables.documents} d
         WHERE d.kind = $1 AND d.id = known.id AND d.body IS NOT NULL AND d.${text} IS NOT NULL LIMIT 1) AS d) AS found`,
    [
      ...[kind, known.map(({ id }) => id), known.map(({ version }) => version)],
      Math.min(maxBytes, Number.MAX_SAFE_INTEGER),
    ],
  );
  return rows.every(({ fits }) => fits) ? rows : null;
}

/** A stored document, as text and as a value. */
export interface StoredDocument<Kind extends CompetitionKind> {
  readonly text: string;
  readonly value: CompetitionDocument<Kind>;
}

/** A document whose fields decide something, or null if there is none; one that is only served needs no value. */
export async function storedDocument<Kind extends CompetitionKind>(
  db: Queryable,
  tables: Tables,
  kind: Kind,
  id: string,
): Promise<StoredDocument<Kind> | null> {
  const row = await documentUnlessVersion(db, tables, { kind, id, version: '' });
  if (row === null || row.body === null) return null;
  return { text: row.body, value: JSON.parse(servedText(row.body, 'platform')) as CompetitionDocument<Kind> };
}

/** Whether a document exists. */
export async function hasDocument(db: Queryable, tables: Tables, kind: CompetitionKind, id: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM ${tables.documents} WHERE kind = $1 AND id = $2 AND body IS NOT NULL`,
    [kind, id],
  );
  return rows.length > 0;
}

/** A document with the texts of its organizer and its game; null where not requested or not existing. */
export interface ExpandedDocument {
  readonly body: string;
  readonly organizer: string | null;
  readonly game: string | null;
}

/** A document of a kind that has an organizer and a game, with these; null if there is none. */
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

/** The text of a game's parent, or null if either does not exist. A game that names itself has none. */
export async function parentGameText(db: Queryable, tables: Tables, gameId: string): Promise<string | null> {
  const { rows } = await db.query<{ body: string | null }>(
    `SELECT p.body FROM ${tables.documents} d
     JOIN ${tables.documents} p ON p.kind = 'game' AND p.id = ${textIn('parent_game_id')} AND p.id <> d.id
     WHERE d.kind = 'game' AND d.id = $1 AND d.body IS NOT NULL`,
    [gameId],
  );
  return rows.length === 0 ? null : rows[0].body;
}

/**
 * The summaries of the organizers of found competitions, as JSON texts of objects in the order of the given items; null
 * where the organizer does not exist.
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

/**
 * SQL for a field of the document `d` whose value is a string; the rest of the document is not parsed into values. PostgreSQL
 * refuses the whole of a JSON text if any string in it has an escaped NUL or half a surrogate pair, which JSON allows. So `\u`
 * becomes another escape first: ids have none. A backslash before a plain `u` is itself escaped, so escaped backslashes become a
 * third escape before that. The marker of the public name is no JSON either.
 */
function textIn(field: string): string {
  const text = String.raw`replace(replace(replace(d.body, E'\x01', 'platform_'), '\\', '\b'), '\u', '\f')`;
  return String.raw`replace(${text}::json ->> '${field}', E'\b', '\')`;
}
