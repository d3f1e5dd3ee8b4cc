import { LinkData, LinkState, identityDigest } from '@podium/messages';
import { Removal } from '@podium/runtime/consumers';
import { Queryable, presentTimeline } from '@podium/runtime/postgres';

/** One account at a partner. */
export interface AccountRef {
  readonly platform: string;
  readonly platformUserId: string;
}

/** The erasure of an account's link. */
export interface ErasedAccount extends AccountRef {
  readonly removed: Removal;
}

/** A link as the view's table has it. */
export interface LinkRow extends AccountRef {
  readonly userId: string;
  readonly linkId: string;
  readonly organizerId: string;
  readonly state: LinkState;
  /** Unix seconds. */
  readonly linkedAtS: number;
}

/** What the table said of accounts. */
export interface FoundLinks {
  /** Postgres' timeline on which it was read. */
  readonly timeline: string;
  readonly links: readonly LinkRow[];
}

/** A link's whole state at a revision, as its topic says. */
export interface LinkRevision {
  readonly data: LinkData;
  readonly revision: number;
}

/** Any fixed number: who writes what names accounts shares this lock, who erases accounts takes it alone. */
const namesLock = 7_243_201;

/**
 * Holds erasures of accounts off until the transaction ends, or with `alone` whoever writes what names accounts: what one
 * writes while the other is under way would stay.
 */
export async function holdNames(tx: Queryable, how: 'shared' | 'alone'): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock${how === 'shared' ? '_shared' : ''}($1)`, [namesLock]);
}

/** The tables behind the link view, written by its consumer alone. */
export class LinksStore {
  constructor(private readonly db: Queryable) {}

  /** The links of accounts and the timeline on which they were read, in one statement; accounts without a row are left out. */
  async find(accounts: readonly AccountRef[]): Promise<FoundLinks> {
    const { rows } = await this.db.query<{ timeline: string } & (LinkRow | { platform: null })>(
      // One probe of the index per account, whatever the planner knows of the table: as a plain join it reads all of a
      // table that is small or was never analyzed.
      `SELECT ${presentTimeline} AS timeline, found.*
         FROM (VALUES (true)) AS one_row_at_least
         LEFT JOIN (unnest($1::text[], $2::text[]) AS asked (account_platform, account_user_id)
              CROSS JOIN LATERAL (
                    SELECT l.platform, l.platform_user_id AS "platformUserId", l.user_id AS "userId", l.link_id AS "linkId",
                           l.organizer_id AS "organizerId", l.state, l.linked_at AS "linkedAtS"
                      FROM ingestion.links AS l
                     WHERE l.platform = asked.account_platform AND l.platform_user_id = asked.account_user_id
                     LIMIT 1) AS found) ON true`,
      [accounts.map(({ platform }) => platform), accounts.map(({ platformUserId }) => platformUserId)],
    );
    const links = rows.flatMap((row) => (row.platform === null ? [] : row));
    return { timeline: rows[0].timeline, links };
  }

  /**
   * Writes states, at most one per account; a row with the same or a higher revision stays as it is, and so does an account
   * whose erasure is newer.
   */
  async upsert(links: readonly LinkRevision[]): Promise<void> {
    if (links.length === 0) return;
    const column = <T>(pick: (link: LinkRevision) => T): T[] => links.map(pick);
    await this.db.query(
      `INSERT INTO ingestion.links AS l
              (platform, platform_user_id, user_id, link_id, organizer_id, state, linked_at, revision)
       SELECT platform, platform_user_id, user_id, link_id, organizer_id, state, linked_at, given.revision
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::uuid[])
           AS given (platform, platform_user_id, user_id, link_id, organizer_id, state, linked_at, revision, digest)
         LEFT JOIN ingestion.erased_accounts AS erased ON erased.account_digest = given.digest
        WHERE erased.revision IS NULL OR erased.revision < given.revision
        ORDER BY given.platform, given.platform_user_id
           ON CONFLICT (platform, platform_user_id) DO UPDATE
          SET user_id = excluded.user_id, link_id = excluded.link_id, organizer_id = excluded.organizer_id,
              state = excluded.state, linked_at = excluded.linked_at, revision = excluded.revision
        WHERE l.revision < excluded.revision`,
      [
        column(({ data }) => data.platform),
        column(({ data }) => data.platform_user_id),
        column(({ data }) => data.user_id),
        column(({ data }) => data.link_id),
        column(({ data }) => data.organizer_id),
        column(({ data }) => data.state),
        column(({ data }) => data.linked_at),
        column(({ revision }) => revision),
        column(({ data }) => digestOf({ platform: data.platform, platformUserId: data.platform_user_id })),
      ],
    );
  }

  /**
   * Removes erased accounts from the view, where it has nothing newer than the erasure, and remembers the erasure, so that no
   * older record brings a link back.
   */
  async erase(accounts: readonly ErasedAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    const known = accounts.filter(({ removed }) => removed.revision !== null);
    await this.db.query(
      `INSERT INTO ingestion.erased_accounts AS e (account_digest, revision)
       SELECT * FROM unnest($1::uuid[], $2::bigint[])
           ON CONFLICT (account_digest) DO UPDATE SET revision = greatest(e.revision, excluded.revision)`,
      [known.map(digestOf), known.map(({ removed }) => removed.revision)],
    );
    await this.db.query(
      `DELETE FROM ingestion.links AS l
        USING unnest($1::text[], $2::text[], $3::bigint[]) AS erased (platform, platform_user_id, up_to)
        WHERE l.platform = erased.platform AND l.platform_user_id = erased.platform_user_id
          AND (erased.up_to IS NULL OR l.revision <= erased.up_to)`,
      [
        accounts.map(({ platform }) => platform),
        accounts.map(({ platformUserId }) => platformUserId),
        accounts.map(({ removed }) => (removed.everything ? null : removed.revision)),
      ],
    );
  }
}

/** Digest of an account, in hex: what is kept of one that was erased. */
export function digestOf({ platform, platformUserId }: AccountRef): string {
  return identityDigest(platform, platformUserId).toString('hex');
}
