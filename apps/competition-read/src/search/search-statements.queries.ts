import { countedRows, joinedBodies } from '../page-texts/page-texts.queries';
import { Tables, builtOnce } from '../table-sets/table-set';
import { maxRotations } from './rotations';

/** Maximum number of names that one search finds; later pages are empty. */
export const maxMatches = 1_000;

/**
 * Maximum index entries read, and in a search with tags checked, for names that contain the text after their beginning; a name
 * may have several.
 */
const maxRotated = 2_000;

/** In a search with tags, the number of entries whose names are checked for the tags before names with the tags are read. */
const firstChecked = 100;

/** In a search with tags, the maximum number of names with these tags that are read when more entries would need checks. */
const maxScoped = 1_000;

/** Maximum number of names read from each beginning that similar names may have. */
const maxPerBeginning = 16;

/** Number of entries read on each side of a place in the index. */
const nearestPerSide = 8;

/** The parameters of `searchText`. */
const asked = {
  scope: '$2::bigint',
  rotatedScope: '$3::bigint',
  text: '$4::text',
  offset: '$5::int',
  end: '$6::int',
  places: ['$7::bigint[]', '$8::text[]', '$9::text[]'],
  beginnings: '$10::text[]',
} as const;

/** What a search needs of `searchText`. */
export interface SearchNeeds {
  /** Whether names must have tags. */
  readonly filtered: boolean;
  /** Whether similar names are searched; without, the statement has the parameters up to the end alone. */
  readonly similar: boolean;
}

/**
 * SQL for one row: `count`, the number of names that contain a text, up to the end of the page; `bodies`, the search items of
 * those on the page, as lines in their order, null if there is none; and `entries`, where these end before the page does, the
 * candidates for similar names, as `similarEntries` returns them.
 *
 * Parameters: kind, scope, scope of rotated names, folded text, offset, end (at most `maxMatches`); by place of similar names
 * its scope, and the texts before and after which entries are read; beginnings of similar names.
 */
export function searchText(tables: Tables, { filtered, similar }: SearchNeeds): string {
  return textOf(tables, filtered, similar);
}

const textOf = builtOnce((tables, filtered: boolean, similar: boolean) => {
  const entries = similar
    ? `CASE WHEN counted.count < ${asked.end} THEN ${similarEntries(tables, filtered)} END`
    : 'NULL::text';
  return `
    WITH beginning AS MATERIALIZED (
      SELECT gram, ref FROM (${range(tables, asked.scope, asked.text, maxMatches)}) AS bounded
      ORDER BY scope, gram, ref LIMIT ${asked.end}
    ), wanted AS MATERIALIZED (
      SELECT CASE WHEN length(${asked.text}) < 2 THEN 0 ELSE ${asked.end} - count(*) END AS count FROM beginning
    ), ${filtered ? containingInScope(tables) : containing(tables)}, counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM beginning) + (SELECT count(*) FROM containing) AS count
    )
    SELECT counted.count,
      ${bodiesOf(tables, `SELECT ref FROM beginning UNION ALL SELECT ref FROM containing OFFSET ${asked.offset}`)} AS bodies,
      ${entries} AS entries
    FROM counted`;
});

/**
 * SQL for the entries next to each place and the first ones of each beginning, as one text with two lines per entry: the entry
 * and its reference; null if there is none. Neither has line breaks, and one value costs much less to transfer than hundreds
 * of rows. A name at several places is returned several times: the caller drops repeats at less cost.
 */
function similarEntries(tables: Tables, filtered: boolean): string {
  const { scope } = asked;
  const isFound = filtered ? `AND (near.scope = ${scope} OR ${isInScope(tables, 'near', scope)})` : '';
  const besidePlaces = (side: Side): string => `
    SELECT near.gram, near.ref FROM unnest(${asked.places.join(', ')}) AS places (scope, before, after)
    CROSS JOIN LATERAL (${beside(side, tables, 'places')}) AS near
    WHERE near.scope = places.scope ${isFound}`;
  return `(
    SELECT string_agg(concat_ws(E'\\n', entry.gram, entry.ref), E'\\n') FROM (
      ${besidePlaces('before')} UNION ALL ${besidePlaces('after')} UNION ALL
      SELECT first.gram, first.ref FROM unnest(${asked.beginnings}) AS beginnings (text)
      CROSS JOIN LATERAL (${range(tables, scope, 'beginnings.text', maxPerBeginning)}) AS first
    ) AS entry)`;
}

/** SQL for search items by reference, as lines in the order of the references. Parameters: kind, references. */
export const namesText = builtOnce((tables) => {
  return `SELECT ${bodiesOf(tables, 'SELECT unnest($2::bigint[]) AS ref')} AS bodies`;
});

/**
 * SQL for the search items of references, in their order: an aggregate takes the rows of a nested loop as they come. One for which
 * a page has no room is an empty line.
 */
function bodiesOf(tables: Tables, refs: string): string {
  const rows = `
    SELECT n.body FROM (${refs}) AS page
    CROSS JOIN LATERAL (SELECT body FROM ${tables.names} WHERE ref = page.ref AND kind = $1 LIMIT 1) AS n`;
  return `(SELECT ${joinedBodies} FROM (${countedRows(rows)}) AS items)`;
}

/**
 * SQL for the first entries of a scope that begin with a text, in order. Row comparison makes the planner expect a fixed
 * share of the table, whatever the statistics. With a constant limit, an ordered index scan is then the cheapest plan.
 * With an equality on scope it may expect few rows, and would collect and sort all entries that begin with the text.
 */
function range(tables: Tables, scope: string, text: string, limit: number): string {
  return `
    SELECT scope, gram, ref FROM ${tables.nameGrams}
    WHERE (scope, gram) >= (${scope}, ${text}) AND (scope, gram) < (${scope}, ${text} || chr(1114111))
    ORDER BY scope, gram, ref LIMIT ${limit}`;
}

type Side = 'before' | 'after';

/** SQL for the entries next to a place on one side, nearest first. Beyond the first or last entry of a scope are those of others. */
function beside(side: Side, tables: Tables, place: string): string {
  const [compare, order] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
  return `
    SELECT scope, gram, ref FROM ${tables.nameGrams} WHERE (scope, gram) ${compare} (${place}.scope, ${place}.${side})
    ORDER BY scope ${order}, gram ${order}, ref ${order} LIMIT ${nearestPerSide}`;
}

function containing(tables: Tables): string {
  return `containing AS MATERIALIZED (
    SELECT gram, ref FROM (${range(tables, asked.rotatedScope, asked.text, maxRotated)}) AS entry
    WHERE ${isFirstPlace('entry')}
    ORDER BY scope, gram, ref LIMIT (SELECT count FROM wanted)
  )`;
}

/**
 * Checks the first entries with the text one by one for the scope. When there are more, and too few are in the scope, a small
 * scope is read whole instead, which finds the same names first, and then all others; and of a large scope, whose names are
 * likelier, more entries are checked.
 */
function containingInScope(tables: Tables): string {
  const scoped = range(tables, asked.scope, "''", maxScoped + 1);
  return `rotated AS MATERIALIZED (
    SELECT * FROM (${range(tables, asked.rotatedScope, asked.text, firstChecked + 1)}) AS bounded
    LIMIT (SELECT CASE WHEN count > 0 THEN ${firstChecked + 1} ELSE 0 END FROM wanted)
  ), in_scope AS MATERIALIZED (
    SELECT gram, ref FROM (SELECT * FROM rotated ORDER BY gram, ref LIMIT ${firstChecked}) AS entry
    WHERE ${isFirstPlace('entry')} AND ${isInScope(tables, 'entry', asked.scope)}
    ORDER BY gram, ref LIMIT (SELECT count FROM wanted)
  ), missing AS MATERIALIZED (
    SELECT (SELECT count(*) FROM rotated) > ${firstChecked} AND (SELECT count(*) FROM in_scope) < count AS found_few FROM wanted
  ), scoped AS MATERIALIZED (
    SELECT gram, ref FROM (${scoped}) AS bounded
    LIMIT (SELECT CASE WHEN found_few THEN ${maxScoped + 1} ELSE 0 END FROM missing)
  ), way AS MATERIALIZED (
    SELECT count(*) BETWEEN 1 AND ${maxScoped} AS by_scope FROM scoped
  ), rest AS MATERIALIZED (
    SELECT gram, ref FROM (${range(tables, asked.rotatedScope, asked.text, maxRotated - firstChecked)} OFFSET ${firstChecked}) AS entry
    WHERE ${isFirstPlace('entry')} AND ${isInScope(tables, 'entry', asked.scope)}
    ORDER BY scope, gram, ref LIMIT (
      SELECT CASE WHEN found_few AND NOT by_scope THEN count - (SELECT count(*) FROM in_scope) ELSE 0 END
      FROM wanted, missing, way)
  ), containing AS MATERIALIZED (
    (SELECT substr(gram, place) || left(gram, place - 1) AS gram, ref
     FROM (SELECT gram, ref, strpos(gram, ${asked.text}) AS place FROM scoped) AS placed
     WHERE place BETWEEN 2 AND ${maxRotations} AND (SELECT by_scope FROM way)
     ORDER BY gram, ref LIMIT (SELECT count FROM wanted))
    UNION ALL
    SELECT gram, ref FROM in_scope WHERE NOT (SELECT by_scope FROM way)
    UNION ALL
    SELECT gram, ref FROM rest
  )`;
}

/** A name that contains the text several times has several entries; only the one of its first occurrence counts. */
function isFirstPlace(entry: string): string {
  const place = `length(split_part(${entry}.gram, chr(1), 2)) + 1`;
  return `strpos(${originalName(`${entry}.gram`)}, ${asked.text}) = ${place}`;
}

/** SQL for the original name of an entry, before rotation. */
function originalName(gram: string): string {
  return `split_part(${gram}, chr(1), 2) || split_part(${gram}, chr(1), 1)`;
}

function isInScope(tables: Tables, entry: string, scope: string): string {
  return `EXISTS (
    SELECT FROM ${tables.nameGrams} AS own
    WHERE own.scope = ${scope} AND own.gram = (${originalName(`${entry}.gram`)}) || chr(1) AND own.ref = ${entry}.ref
    OFFSET 0 LIMIT 1)`;
}
