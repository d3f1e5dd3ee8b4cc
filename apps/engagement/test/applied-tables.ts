import { LinkData, UserEventData } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { applyBatch } from '../src/applying/apply-batch';
import { ApplyParts } from '../src/applying/apply-parts';
import { settleDue } from '../src/due/settle-due';
import { startOf } from '../src/evaluation/calendar';
import { EngineDefinition, horizonS } from '../src/evaluation/definition';
import { condense, pruneRunning } from '../src/history/change-history';
import { unpackHistory } from '../src/history/history-codec';
import { positionsTable } from '../src/inbox/positions-table';
import { applyLinks } from '../src/link-view/apply-links';
import type { LinkRevision } from '../src/link-view/links.store';
import { migrations, schema } from '../src/migrations';
import { LiveDefinitions } from '../src/progress/live-definitions';
import type { WorldRate } from './oracle/world';
import { GivenDefinitions, deposits, segmentOf, taskOf } from './given-definitions';
import { leadingRelay } from './leading-relay';

export const nowMs = Date.parse('2026-11-20T12:00:00Z');
export const nowS = nowMs / 1000;
export const everyDeposit = taskOf('00000000-0000-4000-8000-000000000001', {
  goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
  repeat: { every: '1' },
  max_per_user: 1_000,
});
export const bigSpender = taskOf('00000000-0000-4000-8000-000000000002', {
  goal: { sum: deposits, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '100' },
  repeat: { once: true },
});
export const active = segmentOf('00000000-0000-4000-8000-000000000003', {
  count: deposits,
  window: { rolling: 'PT2H' },
  op: 'gte',
  value: '2',
});
export const verified = segmentOf('00000000-0000-4000-8000-000000000004', {
  latest: 'kyc',
  where: [{ attribute: 'status', op: 'eq', value: 'passed' }],
});
export const newcomers = segmentOf('00000000-0000-4000-8000-000000000005', {
  not: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
});

export const linksPlace = { topic: 'links', partition: 0, position: 'any', nextOffset: 1n } as const;

/** Engagement's tables in a database of the spec's own, with the writes and reads that specs of applying need. */
export class AppliedTables {
  readonly given = new GivenDefinitions();
  clockMs = nowMs;
  parts: ApplyParts;
  private offset = 0n;
  private leader: Awaited<ReturnType<typeof leadingRelay>> | undefined;

  private constructor(
    private readonly database: FreshDatabase,
    readonly pool: Pool,
  ) {
    this.parts = this.newParts();
  }

  static async create(): Promise<AppliedTables> {
    return AppliedTables.in(await freshDatabase({ schema, migrations }));
  }

  /** Tables of which progress is told, because a relay leads that knows its topic. */
  static async createTold(): Promise<AppliedTables> {
    const tables = await AppliedTables.create();
    tables.leader = await leadingRelay(tables.pool);
    return tables;
  }

  /** In a database that somebody else creates and drops. */
  static over(url: string): AppliedTables {
    return AppliedTables.in({ url, drop: () => Promise.resolve() });
  }

  private static in(database: FreshDatabase): AppliedTables {
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    return new AppliedTables(
      database,
      createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry()),
    );
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  async drop(): Promise<void> {
    this.leader?.release();
    await this.pool.end();
    await this.database.drop();
  }

  /** Empty tables, the clock at `nowMs`, and all definitions of this file in force. */
  async reset(): Promise<void> {
    await this.clear();
    this.clockMs = nowMs;
    this.given.set(everyDeposit, bigSpender, active, verified, newcomers);
    this.parts = this.newParts();
  }

  /** The parts of another instance. */
  newParts(): ApplyParts {
    return new ApplyParts(this.pool, new LiveDefinitions(this.given), () => this.clockMs);
  }

  async apply(events: UserEventData[], by: ApplyParts = this.parts): ReturnType<typeof applyBatch> {
    this.offset += BigInt(events.length);
    const place = { topic: 'test', partition: 0, position: 'any', nextOffset: this.offset } as const;
    return applyBatch(by, { ...place, events: events.map((data) => ({ data })) });
  }

  /** Where the next event of the test's topic is expected; null: at its beginning. */
  position(): Promise<bigint | null> {
    return new TablePositions(queryable(this.pool), positionsTable).load('test', 0);
  }

  /** Applies events that follow a position. */
  async applyAfter(position: bigint | null, events: readonly UserEventData[]): Promise<bigint> {
    const nextOffset = (position ?? 0n) + BigInt(events.length);
    const place = { topic: 'test', partition: 0, position, nextOffset } as const;
    await applyBatch(this.parts, { ...place, events: events.map((data) => ({ data })) });
    return nextOffset;
  }

  async linkUsers(...userIds: string[]): Promise<void> {
    await this.storeLinks(...userIds.map((userId) => link(userId, 'ready', 10)));
  }

  async storeLinks(...links: LinkRevision[]): Promise<void> {
    await applyLinks(this.parts, { ...linksPlace, erased: [], links });
  }

  /** Rates of an organizer; those that are known are left as they are. */
  async approveRates(rates: readonly WorldRate[], organizerId = 'organizer-1'): Promise<void> {
    await this.pool.query(
      `INSERT INTO engagement.rates (organizer_id, from_currency, to_currency, day, rate, given_by, given_at, approved_by,
         approved_at)
       SELECT $6, given.*, 'operator-1', $5, 'operator-2', $5
       FROM unnest($1::text[], $2::text[], $3::date[], $4::numeric[]) AS given ON CONFLICT DO NOTHING`,
      [
        rates.map(({ from }) => from),
        rates.map(({ to }) => to),
        rates.map(({ day }) => day),
        rates.map(({ rate }) => rate),
        new Date(this.clockMs),
        organizerId,
      ],
    );
  }

  async members({ definitionId }: EngineDefinition): Promise<string[]> {
    const { rows } = await this.pool.query<{ user_id: string }>(
      `SELECT user_id FROM engagement.memberships JOIN engagement.users USING (user_ref)
       WHERE segment_id = $1 AND member ORDER BY user_id`,
      [definitionId],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async count(table: string, where = 'true'): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*) FROM engagement.${table} WHERE ${where}`,
    );
    return rows[0].count;
  }

  /** Evaluates all that has a due time now: stored due times are lower bounds, which this makes exact. */
  async makeDueTimesExact(): Promise<void> {
    await this.pool.query(`UPDATE engagement.due_times SET due_at = least(due_at, $1)`, [
      Math.floor(this.clockMs / 1000),
    ]);
    while ((await settleDue(this.parts, 100)).settled > 0);
  }

  /** All derived state and awards, without the columns that depend on the order of arrival. */
  async state(): Promise<Record<string, unknown[]>> {
    const queries: Record<string, string> = {
      inbox: `SELECT digest FROM engagement.inbox ORDER BY digest`,
      events: `SELECT user_id, month, name, created_at, event_id, attributes FROM engagement.events
               JOIN engagement.users USING (user_ref) ORDER BY 1, 2, 3, 4, 5`,
      memberships: `SELECT user_id, segment_id FROM engagement.memberships JOIN engagement.users USING (user_ref)
                    WHERE member ORDER BY 1, 2`,
      due: `SELECT user_id, definition_id, due_at FROM engagement.due_times JOIN engagement.users USING (user_ref)
            ORDER BY 1, 2`,
      awards: `SELECT award_id, task_id, occurrence, user_id FROM engagement.awards ORDER BY 1`,
      entries: `SELECT award_id, seq, kind FROM engagement.ledger_entries ORDER BY 1, 2`,
    };
    const found: Record<string, unknown[]> = { histories: await this.histories() };
    for (const [name, query] of Object.entries(queries)) found[name] = (await this.pool.query(query)).rows;
    return found;
  }

  /** In a form that does not depend on how batches were cut, which decides when a history is condensed. */
  private async histories(): Promise<unknown[]> {
    const { rows } = await this.pool.query<{ user_id: string; platform: string; name: string; packed: Buffer }>(
      `SELECT user_id, platform, name, packed FROM engagement.event_histories JOIN engagement.users USING (user_ref)
       ORDER BY 1, 2, 3`,
    );
    const definitions = await new LiveDefinitions(this.given).current(queryable(this.pool));
    const toS = startOf('day', nowS - horizonS, 'UTC');
    return rows.map(({ packed, ...row }) => {
      const history = unpackHistory(row.name, packed);
      const kept = definitions.keptState(row.platform, row.name);
      condense(history, toS, kept);
      pruneRunning(history, kept);
      const { events, finalTo, newestFinal, tail, parts, sequences, running, months } = history;
      return { ...row, history: { events, finalTo, newestFinal, tail, parts, sequences, running, months } };
    });
  }

  /** Empties the tables. Triggers forbid to delete awards, so that they are disabled here. For few rows this is quicker than TRUNCATE. */
  async clear(): Promise<void> {
    const deletions = clearedTables.map((table) => `DELETE FROM engagement.${table};`).join('\n');
    await this.pool.query(`
      SET session_replication_role = replica;
      ${deletions}
      SET session_replication_role = DEFAULT`);
  }
}

const clearedTables = [
  ...[
    'inbox',
    'erasures',
    'erased_accounts',
    'events',
    'users',
    'event_histories',
    'memberships',
    'due_times',
    'links',
  ],
  ...['link_periods', 'outbox', 'positions', 'definition_sweeps', 'definitions', 'ledger_entries', 'award_evidence'],
  ...['unissued_awards', 'budgets', 'budget_shards', 'awards', 'rates', 'told_progress', 'told_definitions'],
  ...[
    'trials',
    'trial_awards',
    'trial_capped',
    'trial_members',
    'trial_tasks',
    'trial_days',
    'task_day_changes',
    'task_days',
    'paused_sweeps',
  ],
];

export function deposit(id: string, amount: number, createdAt = nowS): UserEventData {
  return userEvent({ id, createdAt, attributes: { amount: String(amount) } });
}

export function link(
  userId: string,
  state: LinkData['state'],
  revision: number,
  sub = `sub-of-${userId}`,
): LinkRevision {
  const data: LinkData = {
    link_id: `link-of-${userId}`,
    integration_id: 'integration-1',
    platform: 'acme',
    platform_user_id: sub,
    user_id: userId,
    organizer_id: 'organizer-1',
    state,
    linked_at: nowS - 1000 + revision,
  };
  return { revision, data };
}
