import { LinkData, UserEventData } from '@podium/messages';
import { PositionMovedError } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import * as fc from 'fast-check';
import { ApplyParts, EventBatch, applyBatch } from './apply-batch';
import { settleDue } from './due/settle-due';
import { sweepDefinitions } from './due/sweep-definitions';
import { PublishedDefinition } from './evaluation/compiled-definition';
import { applyLinks } from './link-view/apply-links';
import { LinkState } from './link-view/links.store';
import { leaveEnded } from './memberships/leave-ended';
import { migrations, schema } from './migrations';
import { DefinitionSource, LiveDefinitions } from './progress/live-definitions';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const nowS = nowMs / 1000;
const types = { deposit: { amount: 'decimal' }, kyc: { status: 'string' } } as const;
const common = {
  version: 1,
  generation: 1,
  platform: 'acme',
  organizerId: 'organizer-1',
  paused: false,
  countsFromMs: 0,
  attributeTypes: types,
} as const;

const reward = { type: 'bonus_money', amount: '5.00', currency: 'EUR' };
const everyDeposit: PublishedDefinition = {
  ...common,
  definitionId: '00000000-0000-4000-8000-000000000001',
  kind: 'task',
  body: {
    goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
    repeat: { every: 1 },
    reward,
  },
};
const bigSpender: PublishedDefinition = {
  ...common,
  definitionId: '00000000-0000-4000-8000-000000000002',
  kind: 'task',
  body: {
    goal: { sum: { event: 'deposit' }, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '100.00' },
    repeat: { once: true },
    reward,
  },
};
const active: PublishedDefinition = {
  ...common,
  definitionId: '00000000-0000-4000-8000-000000000003',
  kind: 'segment',
  body: { condition: { count: { event: 'deposit' }, window: { rolling: 'PT2H' }, op: 'gte', value: 2 } },
};
const verified: PublishedDefinition = {
  ...common,
  definitionId: '00000000-0000-4000-8000-000000000004',
  kind: 'segment',
  body: { condition: { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] } },
};
const newcomers: PublishedDefinition = {
  ...common,
  definitionId: '00000000-0000-4000-8000-000000000005',
  kind: 'segment',
  body: { condition: { not: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 } } },
};

/** Definitions as a test sets them. */
class GivenDefinitions implements DefinitionSource {
  private epoch = 0;
  private definitions: PublishedDefinition[] = [];

  set(...definitions: PublishedDefinition[]): void {
    this.definitions = definitions;
    this.epoch++;
  }

  async readEpoch(): Promise<number> {
    return this.epoch;
  }

  async loadPublished(): Promise<PublishedDefinition[]> {
    return this.definitions;
  }
}

const linksPlace = { topic: 'links', partition: 0, position: 'any', nextOffset: 1n } as const;

describe('applying batches of events', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let clockMs = nowMs;
  let offset = 0n;
  const given = new GivenDefinitions();
  let parts: ApplyParts;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  beforeEach(async () => {
    await clear();
    clockMs = nowMs;
    given.set(everyDeposit, bigSpender, active, verified, newcomers);
    parts = new ApplyParts(pool, new LiveDefinitions(given), () => clockMs);
  });

  it('gives the same tables for every order, split and repetition of the same events', async () => {
    const history = fc.array(anyEvent, { minLength: 1, maxLength: 60 });
    const arrivals = history.chain((events) =>
      fc.record({
        events: fc.constant(withIds(events)),
        order: fc.shuffledSubarray([...Array(events.length * 2).keys()], { minLength: events.length * 2 }),
        size: fc.integer({ min: 1, max: 20 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ events, order, size }) => {
        await clear();
        await linkUsers('user-0', 'user-1', 'user-2');
        await apply(events);
        const straight = await state();
        await clear();
        await linkUsers('user-0', 'user-1', 'user-2');
        const twice = [...events, ...events];
        const shuffled = order.map((index) => twice[index]);
        for (let at = 0; at < shuffled.length; at += size) await apply(shuffled.slice(at, at + size));
        expect(await state()).toEqual(straight);
      }),
      // A failure prints its seed.
      { numRuns: 20 },
    );
  });

  it('changes nothing when a batch comes again after a crash between its commit and the commit to Kafka', async () => {
    await linkUsers('user-1');
    const batch = [deposit('a', 60), deposit('b', 50), deposit('c', 10)];
    const first = await apply(batch);
    const before = { state: await state(), outbox: await count('outbox') };
    const again = await apply(batch);
    expect(first.isNew).toEqual([true, true, true]);
    expect(again.isNew).toEqual([false, false, false]);
    expect(first.awards).toHaveLength(4);
    expect(again.awards).toHaveLength(0);
    expect({ state: await state(), outbox: await count('outbox') }).toEqual(before);
  });

  it('counts 620 events of a month in tasks although the newest 500 are stored', async () => {
    const events = Array.from({ length: 620 }, (_, i) => deposit(`e${i}`, 1, nowS - 1000 + i));
    await apply([...events, userEvent({ id: 'k', name: 'kyc', createdAt: nowS, attributes: { status: 'passed' } })]);
    expect(await count('events', `name = 'deposit'`)).toBe(500);
    expect(await count('events', `name = 'kyc'`)).toBe(1);
    expect(await count('awards', `task_id = '${everyDeposit.definitionId}'`)).toBe(620);
    expect(await count('awards', `task_id = '${bigSpender.definitionId}'`)).toBe(1);
  });

  it('pays each occurrence once under two instances with the same events in other orders', async () => {
    await linkUsers('user-0', 'user-1', 'user-2', 'user-3');
    const events = Array.from({ length: 200 }, (_, i) =>
      userEvent({ id: `e${i}`, createdAt: nowS - i, userId: `user-${i % 4}`, attributes: { amount: '1' } }),
    );
    const other = new ApplyParts(pool, new LiveDefinitions(given), () => clockMs);
    const run = async (by: ApplyParts, list: UserEventData[]): Promise<void> => {
      for (let at = 0; at < list.length; at += 20) await apply(list.slice(at, at + 20), by);
    };
    await Promise.all([run(parts, events), run(other, [...events].reverse()), run(parts, rotated(events, 90))]);
    const concurrent = await state();
    expect(await count('awards', `task_id = '${everyDeposit.definitionId}'`)).toBe(200);
    expect(await count('ledger_entries')).toBe(await count('awards'));
    await clear();
    await linkUsers('user-0', 'user-1', 'user-2', 'user-3');
    await apply(events);
    expect(concurrent).toEqual(await state());
  });

  it('pays one partner account once although it is linked to two users one after the other', async () => {
    await apply([deposit('a', 100)]);
    const second = userEvent({
      id: 'b',
      createdAt: nowS,
      userId: 'user-2',
      platformUserId: 'sub-of-user-1',
      attributes: { amount: '100' },
    });
    expect((await apply([second])).awards).toEqual([]);
    // The occurrence is settled for the second user: the next one is paid.
    expect((await apply([{ ...second, event: { ...second.event, id: 'c' } }])).awards).toHaveLength(1);
  });

  it('keeps two partners with equal ids apart', async () => {
    const foreign = { ...deposit('a', 100), platform: 'other' };
    await apply([foreign, deposit('a', 1)]);
    expect(await count('inbox')).toBe(2);
    expect(await count('awards')).toBe(1);
  });

  it('leaves a rolling segment when time passes, without any event, once, with two instances', async () => {
    await linkUsers('user-1', 'user-2');
    await apply([deposit('a', 1), deposit('b', 1)]);
    expect(await members(active)).toEqual(['user-1']);
    expect((await settleDue(parts, 100)).settled).toBe(0);
    clockMs += 2 * 3600 * 1000;
    const rounds = await Promise.all([settleDue(parts, 100), settleDue(parts, 100)]);
    expect(rounds.flatMap(({ changes }) => changes)).toEqual([
      expect.objectContaining({ segmentId: active.definitionId, member: false, reason: 'time' }),
    ]);
    expect(await members(active)).toEqual([]);
    expect((await settleDue(parts, 100)).settled).toBe(0);
  });

  it('leaves all segments of the platform at an unlink and enters those that hold at a relink', async () => {
    await linkUsers('user-1');
    await apply([userEvent({ id: 'k', name: 'kyc', createdAt: nowS, attributes: { status: 'passed' } })]);
    expect([await members(verified), await members(newcomers)]).toEqual([['user-1'], ['user-1']]);
    await takeLinks(link('user-1', 'unlinked', 20));
    expect([await members(verified), await members(newcomers)]).toEqual([[], []]);
    // An older revision that comes late changes nothing.
    await takeLinks(link('user-1', 'ready', 15));
    expect(await members(verified)).toEqual([]);
    await takeLinks(link('user-1', 'ready', 30));
    expect([await members(verified), await members(newcomers)]).toEqual([['user-1'], ['user-1']]);
  });

  it('leaves segments when the link is erased or goes to another user', async () => {
    await linkUsers('user-1');
    expect(await members(newcomers)).toEqual(['user-1']);
    await takeLinks(link('user-2', 'ready', 20, 'sub-of-user-1'));
    expect(await members(newcomers)).toEqual(['user-2']);
    const account = { platform: 'acme', platformUserId: 'sub-of-user-1' };
    const removed = { revision: 21, everything: false };
    await applyLinks(parts, { ...linksPlace, erased: [{ ...account, removed }], links: [] });
    expect(await members(newcomers)).toEqual([]);
  });

  it('holds back what a pause covers and pays it when the pause ends', async () => {
    await linkUsers('user-1');
    given.set({ ...everyDeposit, paused: true });
    expect((await apply([deposit('a', 1), deposit('b', 1)])).awards).toEqual([]);
    expect((await settleDue(parts, 100)).settled).toBe(0);
    given.set(everyDeposit);
    expect((await settleDue(parts, 100)).awards).toHaveLength(2);
  });

  it('brings a newly published segment to the users who were there before it', async () => {
    given.set(everyDeposit);
    await linkUsers('user-1', 'user-2');
    given.set(everyDeposit, newcomers);
    while ((await sweepDefinitions(parts, 1)) > 0);
    const { changes } = await settleDue(parts, 100);
    expect(changes.map(({ reason, member }) => ({ reason, member }))).toEqual([
      { reason: 'definition', member: true },
      { reason: 'definition', member: true },
    ]);
    expect(await sweepDefinitions(parts, 1)).toBe(0);
    expect((await settleDue(parts, 100)).settled).toBe(0);
  });

  it('takes the members out of a segment that has ended, once', async () => {
    await linkUsers('user-1', 'user-2');
    expect(await members(newcomers)).toEqual(['user-1', 'user-2']);
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from)
       VALUES ($1, 1, 1, 'segment', 'acme', 'organizer-1', 'newcomers', '{}', '{}', 'ended', 'op', now(), now(), now())`,
      [newcomers.definitionId],
    );
    given.set(everyDeposit);
    const before = await count('outbox');
    const [one, other] = await Promise.all([leaveEnded(parts, 10), leaveEnded(parts, 10)]);
    expect(one + other).toBe(2);
    expect(await leaveEnded(parts, 10)).toBe(0);
    expect(await members(newcomers)).toEqual([]);
    expect((await count('outbox')) - before).toBe(2);
  });

  it('takes only what follows the stored position, and nothing of what does not', async () => {
    const batch = (position: bigint | null, nextOffset: bigint, ...events: UserEventData[]): EventBatch => {
      const place = { topic: 'positions', partition: 3, position, nextOffset };
      return { ...place, events: events.map((data) => ({ data })) };
    };
    await applyBatch(parts, batch(null, 7n));
    await applyBatch(parts, batch(7n, 10n));
    for (const position of [null, 6n, 7n, 11n])
      await expect(applyBatch(parts, batch(position, 12n, deposit('skipped', 1)))).rejects.toThrow(PositionMovedError);
    expect(await count('inbox')).toBe(0);
    const { rows } = await pool.query(`SELECT next_offset FROM engagement.positions WHERE topic = 'positions'`);
    expect(rows).toEqual([{ next_offset: 10 }]);
  });

  it('refuses to change what was awarded', async () => {
    await apply([deposit('a', 1)]);
    for (const change of [
      `UPDATE engagement.ledger_entries SET kind = 'reversed'`,
      `DELETE FROM engagement.ledger_entries`,
      `UPDATE engagement.awards SET reward = '{}'`,
    ])
      await expect(pool.query(change)).rejects.toThrow('only added to');
  });

  async function apply(events: UserEventData[], by: ApplyParts = parts): ReturnType<typeof applyBatch> {
    offset += BigInt(events.length);
    const place = { topic: 'test', partition: 0, position: 'any', nextOffset: offset } as const;
    return applyBatch(by, { ...place, events: events.map((data) => ({ data })) });
  }

  async function linkUsers(...userIds: string[]): Promise<void> {
    await takeLinks(...userIds.map((userId) => link(userId, 'ready', 10)));
  }

  async function takeLinks(...links: LinkState[]): Promise<void> {
    await applyLinks(parts, { ...linksPlace, erased: [], links });
  }

  async function members({ definitionId }: PublishedDefinition): Promise<string[]> {
    const { rows } = await pool.query<{ user_id: string }>(
      `SELECT user_id FROM engagement.memberships JOIN engagement.users USING (user_ref)
       WHERE segment_id = $1 AND member ORDER BY user_id`,
      [definitionId],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async function count(table: string, where = 'true'): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) FROM engagement.${table} WHERE ${where}`);
    return rows[0].count;
  }

  /** All derived state and awards, without what tells of the order of arrival. */
  async function state(): Promise<Record<string, unknown[]>> {
    const queries: Record<string, string> = {
      inbox: `SELECT digest FROM engagement.inbox ORDER BY digest`,
      events: `SELECT user_id, month, name, created_at, event_id, attributes FROM engagement.events
               JOIN engagement.users USING (user_ref) ORDER BY 1, 2, 3, 4, 5`,
      points: `SELECT user_id, definition_id, generation, term, bucket, count, sum, latest_at, latest_id, latest_holds
               FROM engagement.term_points JOIN engagement.users USING (user_ref) ORDER BY 1, 2, 3, 4, 5`,
      memberships: `SELECT user_id, segment_id FROM engagement.memberships JOIN engagement.users USING (user_ref)
                    WHERE member ORDER BY 1, 2`,
      due: `SELECT user_id, definition_id, due_at FROM engagement.due_times JOIN engagement.users USING (user_ref)
            ORDER BY 1, 2`,
      awards: `SELECT award_id, task_id, occurrence, user_id FROM engagement.awards ORDER BY 1`,
      entries: `SELECT award_id, seq, kind FROM engagement.ledger_entries ORDER BY 1, 2`,
    };
    const found: Record<string, unknown[]> = {};
    for (const [name, query] of Object.entries(queries)) found[name] = (await pool.query(query)).rows;
    return found;
  }

  /** Awards only grow, so that a test that begins anew lifts their triggers for itself. */
  async function clear(): Promise<void> {
    await pool.query(`
      SET session_replication_role = replica;
      TRUNCATE engagement.inbox, engagement.erased_accounts, engagement.events, engagement.users,
        engagement.term_points, engagement.memberships,
        engagement.task_occurrences, engagement.due_times, engagement.links, engagement.outbox, engagement.positions,
        engagement.definition_sweeps, engagement.definitions, engagement.ledger_entries, engagement.awards;
      SET session_replication_role = DEFAULT`);
  }
});

function deposit(id: string, amount: number, createdAt = nowS): UserEventData {
  return userEvent({ id, createdAt, attributes: { amount: String(amount) } });
}

function link(userId: string, state: LinkData['state'], revision: number, sub = `sub-of-${userId}`): LinkState {
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

function rotated<T>(items: readonly T[], by: number): T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}

/** Few users, names and instants, so that ties and repeats are common; ids are given later. */
const anyEvent = fc.record({
  userId: fc.constantFrom('user-0', 'user-1', 'user-2'),
  name: fc.constantFrom('deposit', 'kyc', 'bet'),
  createdAt: fc.oneof(
    fc.integer({ min: nowS - 5, max: nowS + 299 }),
    fc.integer({ min: nowS - 4 * 3600, max: nowS }),
    fc.integer({ min: nowS - 300 * 86_400, max: nowS }),
  ),
  amount: fc.constantFrom('0.1', '0.20', '33.333', '70', 'many'),
  status: fc.constantFrom('passed', 'failed'),
});

function withIds(
  events: { userId: string; name: string; createdAt: number; amount: string; status: string }[],
): UserEventData[] {
  return events.map(({ amount, status, ...event }, index) =>
    userEvent({
      ...event,
      // Bytes decide ties: 'Z' comes before 'a'.
      id: `${index % 2 === 0 ? 'Z' : 'a'}${index}`,
      attributes: event.name === 'kyc' ? { status } : { amount },
    }),
  );
}
