import { LinkData, LinkState } from '@podium/messages';
import { Removal, StateRevision, columnsOf, removedUpTo } from '@podium/runtime/consumers';
import { Queryable, presentTimeline } from '@podium/runtime/postgres';
import { AccountRef, accountDigest } from '../accounts/account';

/** The erasure of an account's link. */
export interface ErasedAccount extends AccountRef {
  readonly removed: Removal;
}

/** A row of the view's table. */
export interface LinkRow extends AccountRef {
  readonly userId: string;
  readonly linkId: string;
  readonly organizerId: string;
  readonly state: LinkState;
  /** Unix seconds. */
  readonly linkedAtS: number;
}

/** The links of some accounts. */
export interface FoundLinks {
  /** The Postgres timeline on which they were read. */
  readonly timeline: string;
  readonly links: readonly LinkRow[];
}

/** The complete state of a link at the revision of its record. */
export type LinkRevision = StateRevision<LinkData>;

/** The tables behind the link view, written by its consumer alone. */
export class LinksStore {
  constructor(private readonly db: Queryable) {}

  /** The links of accounts and the timeline on which they were read, in one statement. Accounts without a row are left out. */
  async find(accounts: readonly AccountRef[]): Promise<FoundLinks> {
    const { rows } = await this.db.query<{ timeline: string } & (LinkRow | { platform: null })>(
      // LATERAL makes one index probe per account: a plain join reads the whole of a table that is small or not analyzed.
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

  /** Stores states, at most one per account. A row with the same or a higher revision and a newer erasure stay unchanged. */
  async upsert(links: readonly LinkRevision[]): Promise<void> {
    if (links.length === 0) return;
    const states = links.map(({ data, revision }) => ({ ...data, revision }));
    const accounts = links.map(({ data }) => ({ platform: data.platform, platformUserId: data.platform_user_id }));
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
        ...columnsOf(states, [
          'platform',
          'platform_user_id',
          'user_id',
          'link_id',
          'organizer_id',
          'state',
          'linked_at',
          'revision',
        ]),
        accounts.map(accountDigest),
      ],
    );
  }

  /**
   * Deletes links up to the revision of their erasure and remembers the erasure, so that no older record restores one.
   */
  async erase(accounts: readonly ErasedAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    const known = accounts.filter(({ removed }) => removed.revision !== null);
    await this.db.query(
      `INSERT INTO ingestion.erased_accounts AS e (account_digest, revision)
       SELECT * FROM unnest($1::uuid[], $2::bigint[])
           ON CONFLICT (account_digest) DO UPDATE SET revision = greatest(e.revision, excluded.revision)`,
      [known.map(accountDigest), known.map(({ removed }) => removed.revision)],
    );
    await this.db.query(
      `DELETE FROM ingestion.links AS l
        USING unnest($1::text[], $2::text[], $3::bigint[]) AS erased (platform, platform_user_id, up_to)
        WHERE l.platform = erased.platform AND l.platform_user_id = erased.platform_user_id
          AND (erased.up_to IS NULL OR l.revision <= erased.up_to)`,
      [...columnsOf(accounts, ['platform', 'platformUserId']), accounts.map(({ removed }) => removedUpTo(removed))],
    );
  }
}
