import { Queryable } from '@podium/runtime/postgres';
import { EngineDefinition, applicationDelayS, horizonS } from '../evaluation/definition';
import { PublishedDefinitions, StoredVersion, UnreadableDefinition, publishedDefinitions } from './engine-definition';
import { referredSegments } from './segment-references';

/** How long the engine knows what has ended, seconds: the lateness horizon, and as long as events can wait to be applied. */
export const knownAfterEndS = horizonS + applicationDelayS;

/** Whether the engine does not know a definition any more that ended at a time. */
export function isForgotten(endedAt: Date | null, now: Date): boolean {
  return endedAt !== null && endedAt.getTime() <= now.getTime() - knownAfterEndS * 1000;
}

const columns = `definition_id AS "definitionId", version, generation, kind, platform, organizer_id AS "organizerId", body,
  attribute_types AS "attributeTypes", state, published_at AS "publishedAt", counts_from AS "countsFrom",
  in_force_from AS "inForceFrom", ended_at AS "endedAt", ended_while_paused AS "endedWhilePaused",
  recount, max_per_day AS "maxPerDay"`;

/**
 * Another text with every change of the stored versions of a definition. `xmin` is the transaction that wrote a row last. The rest
 * tells apart what two transactions of one number wrote, one of which a failover has lost.
 */
const revision = `encode(sha256(convert_to(string_agg(
  concat_ws(' ', version, xmin, state, created_at, published_at, ended_at, ended_while_paused), ', ' ORDER BY version), 'UTF8')), 'base64')`;

interface StoredRevision {
  readonly definitionId: string;
  readonly revision: string;
}

/**
 * All definitions that the engine evaluates, each with all its published versions: those that are published or paused, those
 * that ended not long ago, and the segments on which these depend. Those that cannot be read are told of beside them. What has
 * not changed since `before` is not read again.
 */
export async function readPublishedDefinitions(
  tx: Queryable,
  nowS: number,
  before: PublishedDefinitions = { definitions: [], unreadable: [] },
): Promise<PublishedDefinitions> {
  const known = new Map([...before.definitions, ...before.unreadable].map((each) => [each.definitionId, each]));
  const definitions: EngineDefinition[] = [];
  const unreadable: UnreadableDefinition[] = [];
  const revisions = new Map<string, string>();
  let found = await readCurrent(tx, nowS);
  while (found.length > 0) {
    const isKnown = (each: StoredRevision): boolean => before.revisions?.get(each.definitionId) === each.revision;
    const read = await readDefinitions(
      tx,
      found.filter((each) => !isKnown(each)),
    );
    for (const each of found) {
      const definition = (isKnown(each) ? known : read).get(each.definitionId);
      if (definition === undefined) continue;
      revisions.set(each.definitionId, each.revision);
      if ('reason' in definition) unreadable.push(definition);
      else definitions.push(definition);
    }
    found = await readSegments(tx, missingSegments(definitions, revisions));
  }
  return { definitions, unreadable, revisions };
}

/** Whether the derived state is being built again from the stored events. */
export async function isRebuilding(tx: Queryable): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT FROM engagement.replays WHERE kind = 'rebuild' AND finished_at IS NULL LIMIT 1`,
  );
  return (rowCount ?? 0) > 0;
}

async function readCurrent(tx: Queryable, nowS: number): Promise<StoredRevision[]> {
  const { rows } = await tx.query<StoredRevision>(
    `SELECT definition_id AS "definitionId", ${revision} AS revision FROM engagement.definitions
     WHERE generation IS NOT NULL AND definition_id IN (
       SELECT definition_id FROM engagement.definitions
       WHERE state IN ('published', 'paused') OR (state = 'ended' AND ended_at > to_timestamp($1)))
     GROUP BY definition_id ORDER BY definition_id`,
    [nowS - knownAfterEndS],
  );
  return rows;
}

async function readSegments(tx: Queryable, definitionIds: readonly string[]): Promise<StoredRevision[]> {
  if (definitionIds.length === 0) return [];
  const { rows } = await tx.query<StoredRevision>(
    `SELECT definition_id AS "definitionId", ${revision} AS revision FROM engagement.definitions
     WHERE generation IS NOT NULL AND kind = 'segment' AND definition_id = ANY ($1::uuid[])
     GROUP BY definition_id ORDER BY definition_id`,
    [definitionIds],
  );
  return rows;
}

async function readDefinitions(
  tx: Queryable,
  wanted: readonly StoredRevision[],
): Promise<Map<string, EngineDefinition | UnreadableDefinition>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await tx.query<StoredVersion>(
    `SELECT ${columns} FROM engagement.definitions
     WHERE generation IS NOT NULL AND definition_id = ANY ($1::uuid[]) ORDER BY definition_id, version`,
    [wanted.map(({ definitionId }) => definitionId)],
  );
  const { definitions, unreadable } = publishedDefinitions(byDefinition(rows));
  return new Map([...definitions, ...unreadable].map((each) => [each.definitionId, each]));
}

/** Segments that definitions name and that have not been looked for yet. */
function missingSegments(definitions: readonly EngineDefinition[], found: ReadonlyMap<string, string>): string[] {
  return [...new Set(definitions.flatMap(referredSegments))].filter((id) => !found.has(id));
}

function byDefinition(rows: readonly StoredVersion[]): StoredVersion[][] {
  const groups = new Map<string, StoredVersion[]>();
  for (const row of rows) {
    const group = groups.get(row.definitionId);
    if (group) group.push(row);
    else groups.set(row.definitionId, [row]);
  }
  return [...groups.values()];
}
