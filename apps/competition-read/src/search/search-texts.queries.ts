import { Tables } from '../projection/table-set';
import { maxTurns } from './turns';

/** The most names that one search finds: pages beyond are empty. */
export const mostMatches = 1_000;

/** Entries that are read for names with the text after their beginning; one name may have several. */
const mostTurned = 2_000;

/** With tags, how many entries are asked one by one whether their names have the tags. */
const mostAsked = 100;

/** With tags, the most names with these tags that are read instead, when more entries would have to be asked. */
const mostScoped = 1_000;

/** Names that are read from each range in which similar ones are looked for. */
const mostPerRange = 16;

/**
 * Names that have a text, in their order, as one page with the count of all up to its end. Parameters: kind, scope, scope
 * of turned names, folded text, offset, end (at most `mostMatches`). One row at least; without a page its id is null.
 *
 * The planner sees no parameter: whatever statistics say of one text, the plan is the walk of the index that is right for
 * all, and a prepared statement is planned once.
 */
export function matchesText(tables: Tables, filtered: boolean): string {
  return `
    WITH asked AS MATERIALIZED (
      SELECT $2::bigint AS scope, $3::bigint AS turned, $4::text AS text, $5::int AS first, $6::int AS ending
    ), beginning AS MATERIALIZED (
      SELECT gram, ref FROM (${range(tables, asked('scope'), asked('text'), mostMatches)}) AS bounded
      ORDER BY scope, gram, ref LIMIT ${asked('ending')}
    ), wanted AS MATERIALIZED (
      SELECT CASE WHEN length(${asked('text')}) < 2 THEN 0 ELSE ${asked('ending')} - count(*) END AS count FROM beginning
    ), ${filtered ? containingInScope(tables) : containing(tables)}, matches AS MATERIALIZED (
      SELECT 1 AS tier, gram, ref FROM beginning UNION ALL SELECT 2, gram, ref FROM containing
    )
    SELECT (SELECT count(*) FROM matches) AS count, found.id, found.body
    FROM (VALUES (true)) AS always
    LEFT JOIN (
      SELECT page.tier, page.gram, page.ref, n.id, n.body
      FROM (SELECT * FROM matches ORDER BY tier, gram, ref OFFSET ${asked('first')}) AS page
      CROSS JOIN LATERAL (SELECT id, body FROM ${tables.names} WHERE ref = page.ref AND kind = $1 LIMIT 1) AS n
    ) AS found ON true
    ORDER BY found.tier, found.gram, found.ref`;
}

/**
 * Names, unturned, from the first few entries of each range. Parameters: scope, scope of turned names; and by range,
 * whether its names are turned, and how they begin.
 */
export function similarText(tables: Tables, filtered: boolean): string {
  const inScope = filtered ? `WHERE NOT ranges.turned OR ${isInScope(tables, 'g', '$1')}` : '';
  return `
    SELECT DISTINCT ${unturned('g.gram')} AS folded, g.ref::text AS ref
    FROM unnest($3::boolean[], $4::text[]) AS ranges (turned, text)
    CROSS JOIN LATERAL (
      ${range(tables, 'CASE WHEN ranges.turned THEN $2::bigint ELSE $1::bigint END', 'ranges.text', mostPerRange)}
    ) AS g ${inScope}`;
}

/** Search items by reference, in the order of the references. Parameters: kind, references. */
export function namesText(tables: Tables): string {
  return `
    SELECT n.id, n.body
    FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (ref, place)
    CROSS JOIN LATERAL (SELECT id, body FROM ${tables.names} WHERE ref = wanted.ref AND kind = $1 LIMIT 1) AS n
    ORDER BY wanted.place`;
}

/**
 * The first entries of a scope that begin with a text, in order. Rows are compared as wholes because the planner then
 * expects a share of the table, whatever statistics say of scopes and texts, and a limit that it knows makes the walk of
 * the index the cheapest way to so few of so many. Of an equal scope it may expect a handful, and would then gather and
 * sort all that begin with the text.
 */
function range(tables: Tables, scope: string, text: string, most: number): string {
  return `
    SELECT scope, gram, ref FROM ${tables.nameGrams}
    WHERE (scope, gram) >= (${scope}, ${text}) AND (scope, gram) < (${scope}, ${text} || chr(1114111))
    ORDER BY scope, gram, ref LIMIT ${most}`;
}

function containing(tables: Tables): string {
  return `containing AS MATERIALIZED (
    SELECT gram, ref FROM (${range(tables, asked('turned'), asked('text'), mostTurned)}) AS entry
    WHERE ${isFirstPlace('entry')}
    ORDER BY scope, gram, ref LIMIT (SELECT count FROM wanted)
  )`;
}

/**
 * Entries with the text are asked one by one whether they are in the scope. If there are more of them than are asked, and
 * too few of those were in it, a small scope is read whole instead: this finds the same names first, and all others.
 */
function containingInScope(tables: Tables): string {
  const scoped = range(tables, asked('scope'), "''", mostScoped + 1);
  return `turned AS MATERIALIZED (
    SELECT * FROM (${range(tables, asked('turned'), asked('text'), mostAsked + 1)}) AS bounded
    LIMIT (SELECT CASE WHEN count > 0 THEN ${mostAsked + 1} ELSE 0 END FROM wanted)
  ), in_scope AS MATERIALIZED (
    SELECT gram, ref FROM (SELECT * FROM turned ORDER BY gram, ref LIMIT ${mostAsked}) AS entry
    WHERE ${isFirstPlace('entry')} AND ${isInScope(tables, 'entry', asked('scope'))}
    ORDER BY gram, ref LIMIT (SELECT count FROM wanted)
  ), missing AS MATERIALIZED (
    SELECT (SELECT count(*) FROM turned) > ${mostAsked} AND (SELECT count(*) FROM in_scope) < count AS found_few FROM wanted
  ), scoped AS MATERIALIZED (
    SELECT gram, ref FROM (${scoped}) AS bounded
    LIMIT (SELECT CASE WHEN found_few THEN ${mostScoped + 1} ELSE 0 END FROM missing)
  ), way AS MATERIALIZED (
    SELECT count(*) BETWEEN 1 AND ${mostScoped} AS by_scope FROM scoped
  ), containing AS MATERIALIZED (
    (SELECT substr(gram, place) || left(gram, place - 1) AS gram, ref
     FROM (SELECT gram, ref, strpos(gram, ${asked('text')}) AS place FROM scoped) AS placed
     WHERE place BETWEEN 2 AND ${maxTurns} AND (SELECT by_scope FROM way)
     ORDER BY gram, ref LIMIT (SELECT count FROM wanted))
    UNION ALL
    SELECT gram, ref FROM in_scope WHERE NOT (SELECT by_scope FROM way)
  )`;
}

function asked(column: string): string {
  return `(SELECT ${column} FROM asked)`;
}

/** A name that has the text more than once stands there more than once, and is taken where it has it first. */
function isFirstPlace(entry: string): string {
  const place = `length(split_part(${entry}.gram, chr(1), 2)) + 1`;
  return `strpos(${unturned(`${entry}.gram`)}, ${asked('text')}) = ${place}`;
}

/** The name of an entry, from its first character on. */
function unturned(gram: string): string {
  return `split_part(${gram}, chr(1), 2) || split_part(${gram}, chr(1), 1)`;
}

function isInScope(tables: Tables, entry: string, scope: string): string {
  return `EXISTS (
    SELECT FROM ${tables.nameGrams} AS own
    WHERE own.scope = ${scope} AND own.gram = (${unturned(`${entry}.gram`)}) || chr(1) AND own.ref = ${entry}.ref
    OFFSET 0 LIMIT 1)`;
}
