import { BonusAwardResultData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { ResultOutcome } from '../src/awards/award-results';
import { EnterAwardResults } from '../src/awards/enter-award-results';
import { AwardSettlement, settleAwards } from '../src/awards/settle-awards';
import { TaskFinding } from '../src/awards/task-finding';
import { migrations, schema } from '../src/migrations';
import { LockedUser, lockUsers, userKeyText } from '../src/users/users.store';
import { nowMs } from './task-findings';

/** Awards and budgets in a database of the spec's own. */
export class AwardTables {
  private offset = 0n;

  private constructor(
    private readonly database: FreshDatabase | null,
    readonly pool: Pool,
  ) {}

  static async create(): Promise<AwardTables> {
    const database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    return new AwardTables(
      database,
      createPool({ url: database.url, size: 12, service: 'test' }, logger, new Registry()),
    );
  }

  /** Over a pool of the caller's, who also ends it. */
  static over(pool: Pool): AwardTables {
    return new AwardTables(null, pool);
  }

  async drop(): Promise<void> {
    await this.pool.end();
    await this.database?.drop();
  }

  /** Empties the tables. Triggers forbid to delete awards, so that they are disabled here. */
  async clear(): Promise<void> {
    await this.pool.query(`
      SET session_replication_role = replica;
      TRUNCATE engagement.users, engagement.outbox, engagement.award_evidence, engagement.unissued_awards,
        engagement.budgets, engagement.budget_shards, engagement.ledger_entries, engagement.awards;
      SET session_replication_role = DEFAULT`);
  }

  /** Adds users by name, and returns them. */
  async users(...userIds: string[]): Promise<LockedUser[]> {
    const keys = userIds.map((userId) => ({ platform: 'acme', userId }));
    const locked = await inTransaction(this.pool, (tx) => lockUsers(tx, keys));
    return keys.map((key) => locked.get(userKeyText(key))!);
  }

  /** Settles findings as a batch does: their users are locked first. */
  settle(findings: readonly TaskFinding[], atMs = nowMs): Promise<AwardSettlement> {
    return inTransaction(this.pool, async (tx) => {
      await lockUsers(
        tx,
        findings.map(({ user }) => user),
      );
      return settleAwards(tx, findings, atMs);
    });
  }

  /** Enters results of the bonus engine. */
  answer(...results: BonusAwardResultData[]): Promise<ResultOutcome[]> {
    return this.answerWhile(results, () => Promise.resolve());
  }

  /** Enters results and does something else before they are committed. */
  answerWhile(results: readonly BonusAwardResultData[], work: () => Promise<void>): Promise<ResultOutcome[]> {
    const place = { topic: 'results', partition: 0, position: 'any', nextOffset: ++this.offset } as const;
    return new EnterAwardResults(this.pool, () => nowMs).apply({ ...place, results }, work);
  }

  /** How many transactions wait for a lock of another one. */
  async waiting(): Promise<number> {
    const { rowCount } = await this.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount ?? 0;
  }

  /** The ledgers, by user and occurrence: `user-1 g1:once: issued confirmed`. */
  async ledgers(): Promise<string[]> {
    const { rows } = await this.pool.query<{ text: string }>(
      `SELECT user_id || ' ' || occurrence || ': ' || string_agg(kind, ' ' ORDER BY seq) AS text
       FROM engagement.awards JOIN engagement.ledger_entries USING (award_id)
       GROUP BY user_id, occurrence ORDER BY user_id, occurrence COLLATE "C"`,
    );
    return rows.map(({ text }) => text);
  }

  /** What is not issued: `user-1 held_by_limit g1:every 2-9`. */
  async unissued(): Promise<string[]> {
    const { rows } = await this.pool.query<{ text: string }>(
      `SELECT concat_ws(' ', user_id, status, reason, series, first || '-' || last) AS text
       FROM engagement.unissued_awards JOIN engagement.users USING (user_ref) ORDER BY user_id, series, first`,
    );
    return rows.map(({ text }) => text);
  }

  /** The types of the published records of awards, in order. */
  async published(): Promise<string[]> {
    const { rows } = await this.pool.query<{ text: string }>(
      `SELECT split_part(type, '.', 3) || ' ' || (data::jsonb ->> 'occurrence') || ' ' || (data::jsonb ->> 'seq') AS text
       FROM engagement.outbox WHERE type LIKE 'engagement.bonus-award.%' ORDER BY id`,
    );
    return rows.map(({ text }) => text);
  }

  /** Units left in the rows of a budget. */
  async left(day = '-infinity'): Promise<number> {
    const { rows } = await this.pool.query<{ left: string | null }>(
      `SELECT sum(available)::text AS left FROM engagement.budget_shards WHERE day = $1`,
      [day],
    );
    return Number(rows[0].left);
  }
}
