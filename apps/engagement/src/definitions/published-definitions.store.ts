import { Queryable } from '@podium/runtime/postgres';
import { EngineDefinition, applicationDelayS, horizonS } from '../evaluation/definition';
import { PublishedDefinitions, StoredVersion, UnreadableDefinition, publishedDefinitions } from './engine-definition';
import { segmentReferences } from './segment-references';

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
 * All definitions that the engine evaluates, each with all its published versions: those that are published or paused, those
 * that ended not long ago, and the segments on which these depend. Those that cannot be read are told of beside them.
 */
export async function readPublishedDefinitions(tx: Queryable, nowS: number): Promise<PublishedDefinitions> {
  const definitions: EngineDefinition[] = [];
  const unreadable: UnreadableDefinition[] = [];
  let rows = await readCurrent(tx, nowS);
  while (rows.length > 0) {
    const read = publishedDefinitions(byDefinition(rows));
    definitions.push(...read.definitions);
    unreadable.push(...read.unreadable);
    rows = await readVersions(tx, missingSegments(definitions, unreadable));
  }
  return { definitions, unreadable };
}

/** Whether the derived state is being built again from the stored events. */
export async function isRebuilding(tx: Queryable): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT FROM engagement.replays WHERE kind = 'rebuild' AND finished_at IS NULL LIMIT 1`,
  );
  return (rowCount ?? 0) > 0;
}

async function readCurrent(tx: Queryable, nowS: number): Promise<StoredVersion[]> {
  const { rows } = await tx.query<StoredVersion>(
    `SELECT ${columns} FROM engagement.definitions
     WHERE generation IS NOT NULL AND definition_id IN (
       SELECT definition_id FROM engagement.definitions
       WHERE state IN ('published', 'paused') OR (state = 'ended' AND ended_at > to_timestamp($1)))
     ORDER BY definition_id, version`,
    [nowS - knownAfterEndS],
  );
  return rows;
}

async function readVersions(tx: Queryable, definitionIds: readonly string[]): Promise<StoredVersion[]> {
  if (definitionIds.length === 0) return [];
  const { rows } = await tx.query<StoredVersion>(
    `SELECT ${columns} FROM engagement.definitions
     WHERE generation IS NOT NULL AND kind = 'segment' AND definition_id = ANY ($1::uuid[])
     ORDER BY definition_id, version`,
    [definitionIds],
  );
  return rows;
}

function missingSegments(
  definitions: readonly EngineDefinition[],
  unreadable: readonly UnreadableDefinition[],
): string[] {
  const found = new Set([...definitions, ...unreadable].map(({ definitionId }) => definitionId));
  const named = definitions.flatMap(({ versions }) =>
    versions.flatMap(({ body }) => segmentReferences(body).map(({ segmentId }) => segmentId)),
  );
  return [...new Set(named)].filter((id) => !found.has(id));
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
