import { Queryable } from '@podium/runtime/postgres';
import { Contract } from '../../entities/contract.entity';
import { NewErasure } from '../../erasures/erasures.store';
import { Integration } from '../../entities/integration.entity';
import { PublishedKey } from '../../keys/every-kind/api-key-record';
import { Link } from '../../links/link';
import { linkColumns } from '../../links/link.store';

/** Tables from which the records of a topic are made. */
export type RepublishedTable = 'links' | 'integrations' | 'api_keys' | 'erasures';

/**
 * Blocks writers of a table until the transaction ends, after current ones have finished: a state read then is the newest,
 * and an outbox row added then has a higher id than all before. Readers continue.
 */
export async function blockWriters(tx: Queryable, table: RepublishedTable): Promise<void> {
  const tables = table === 'integrations' ? 'linkage.integrations, linkage.contracts' : `linkage.${table}`;
  await tx.query(`LOCK TABLE ${tables} IN SHARE ROW EXCLUSIVE MODE`);
}

/** A page of accounts after the given one, each with its current link: the active one, else the one unlinked last. */
export async function readNewestLinks(
  tx: Queryable,
  after: Pick<Link, 'platform' | 'sub'> | null,
  limit: number,
): Promise<Link[]> {
  const { rows } = await tx.query<Link>(
    `SELECT DISTINCT ON (platform, sub) ${linkColumns} FROM linkage.links
     WHERE (platform, sub) > ($1, $2)
     ORDER BY platform, sub, state = 'unlinked', unlink_requested_at DESC NULLS LAST, linked_at DESC, link_id
     LIMIT $3`,
    [after?.platform ?? '', after?.sub ?? '', limit],
  );
  return rows;
}

/** A page of keys after the given one, with the platforms of event keys. */
export async function readKeys(
  tx: Queryable,
  after: string | null,
  limit: number,
): Promise<(PublishedKey & { platform: string | null })[]> {
  const { rows } = await tx.query<PublishedKey & { platform: string | null }>(
    `SELECT key_id AS "keyId", kind, format, hash, integration_id AS "integrationId", scopes,
       event_scopes AS "eventScopes", rate_per_second AS "ratePerSecond", not_after AS "notAfter", revoked_at AS "revokedAt", platform
     FROM linkage.api_keys LEFT JOIN linkage.integrations USING (integration_id)
     WHERE key_id > $1 ORDER BY key_id LIMIT $2`,
    [after ?? '', limit],
  );
  return rows;
}

/** A page of erasures after the given one. */
export async function readErasures(
  tx: Queryable,
  after: string | null,
  limit: number,
): Promise<Pick<NewErasure, 'erasureId' | 'userDigests' | 'erasedAt'>[]> {
  const { rows } = await tx.query<Pick<NewErasure, 'erasureId' | 'userDigests' | 'erasedAt'>>(
    `SELECT erasure_id AS "erasureId", erased_at AS "erasedAt",
       ARRAY(SELECT replace(digest::text, '-', '') FROM unnest(user_digests) AS digest) AS "userDigests"
     FROM linkage.erasures WHERE $1::uuid IS NULL OR erasure_id > $1 ORDER BY erasure_id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** The fields of an integration's record, with its contracts. */
export type PublishedIntegration = Pick<
  Integration,
  'integrationId' | 'platform' | 'partner' | 'organizerId' | 'status' | 'ratePerSecond'
> & { readonly contracts: readonly Pick<Contract, 'version' | 'inForceFrom' | 'events'>[] };

/** A page of integrations by platform after the given one, with all versions of their contracts. */
export async function readIntegrations(
  tx: Queryable,
  after: string | null,
  limit: number,
): Promise<PublishedIntegration[]> {
  const { rows } = await tx.query<Omit<PublishedIntegration, 'contracts'>>(
    `SELECT integration_id AS "integrationId", platform, partner, organizer_id AS "organizerId", status,
       event_rate_per_second AS "ratePerSecond"
     FROM linkage.integrations WHERE platform > $1 ORDER BY platform LIMIT $2`,
    [after ?? '', limit],
  );
  const { rows: contracts } = await tx.query<Pick<Contract, 'integrationId' | 'version' | 'inForceFrom' | 'events'>>(
    `SELECT integration_id AS "integrationId", version, in_force_from AS "inForceFrom", events
     FROM linkage.contracts WHERE integration_id = ANY ($1::uuid[]) ORDER BY version`,
    [rows.map(({ integrationId }) => integrationId)],
  );
  const byIntegration = new Map<string, typeof contracts>();
  for (const contract of contracts) {
    const known = byIntegration.get(contract.integrationId);
    if (known) known.push(contract);
    else byIntegration.set(contract.integrationId, [contract]);
  }
  return rows.map((row) => ({ ...row, contracts: byIntegration.get(row.integrationId) ?? [] }));
}

/**
 * Forgets the positions for which links, versions of contracts or erasures wait until every view has passed them: if the topic was lost,
 * they are offsets of the former one, which the views may never reach. Linkage then takes its present ends, which are never earlier
 * in the same topic.
 */
export async function forgetPositions(db: Queryable, table: RepublishedTable): Promise<void> {
  if (table === 'links')
    await db.query(
      `UPDATE linkage.links SET barrier_partition = NULL, barrier_offset = NULL WHERE link_id IN (
         SELECT link_id FROM linkage.links WHERE barrier_outbox_id IS NOT NULL AND barrier_partition IS NOT NULL
         ORDER BY link_id FOR UPDATE)`,
    );
  if (table === 'integrations')
    await db.query(
      `UPDATE linkage.contracts SET barrier_offset = NULL WHERE in_force_at IS NULL AND barrier_offset IS NOT NULL`,
    );
  if (table === 'erasures')
    await db.query(`UPDATE linkage.erasures SET places = NULL WHERE completed_at IS NULL AND places IS NOT NULL`);
}

/** How many rows wait for the relay, counted up to `limit`, and the lowest id, at which the relay goes on; 0 without any. */
export async function readWaiting(db: Queryable, limit: number): Promise<{ count: number; lowestId: number }> {
  const { rows } = await db.query<{ count: number; lowestId: number }>(
    `SELECT count(*) AS count, coalesce(min(id), 0) AS "lowestId"
     FROM (SELECT id FROM linkage.outbox ORDER BY id LIMIT $1) AS unpublished`,
    [limit],
  );
  return rows[0];
}
