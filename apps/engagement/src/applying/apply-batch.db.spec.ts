import { UserEventData } from '@podium/messages';
import { PositionMovedError } from '@podium/runtime/kafka';
import { userEvent } from '@podium/testing/user-event';
import * as fc from 'fast-check';
import { AppliedTables, bigSpender, deposit, everyDeposit, nowS } from '../../test/applied-tables';
import { propertyOptions } from '../../test/property-options';
import { EventBatch, applyBatch } from './apply-batch';
import { ApplyParts } from './apply-parts';

// Random histories are applied again and again.
jest.setTimeout(120_000);

describe('applying batches of events', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(() => tables.reset());

  it('produces the same tables for every order, split and repetition of the same events', async () => {
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
        await tables.clear();
        await tables.linkUsers('user-0', 'user-1', 'user-2');
        await tables.apply(events);
        await tables.makeDueTimesExact();
        const straight = await tables.state();
        await tables.clear();
        await tables.linkUsers('user-0', 'user-1', 'user-2');
        const twice = [...events, ...events];
        const shuffled = order.map((index) => twice[index]);
        for (let at = 0; at < shuffled.length; at += size) await tables.apply(shuffled.slice(at, at + size));
        await tables.makeDueTimesExact();
        expect(await tables.state()).toEqual(straight);
      }),
      propertyOptions(20),
    );
  });

  it('changes nothing when a batch is repeated after a crash between its commit and the commit to Kafka', async () => {
    await tables.linkUsers('user-1');
    const batch = [deposit('a', 60), deposit('b', 50), deposit('c', 10)];
    const first = await tables.apply(batch);
    const before = { state: await tables.state(), outbox: await tables.count('outbox') };
    const again = await tables.apply(batch);
    expect(first.isNew).toEqual([true, true, true]);
    expect(again.isNew).toEqual([false, false, false]);
    expect(first.awards).toHaveLength(4);
    expect(again.awards).toHaveLength(0);
    expect({ state: await tables.state(), outbox: await tables.count('outbox') }).toEqual(before);
  });

  it('counts 620 events of a month in tasks although only the newest 500 are stored', async () => {
    const events = Array.from({ length: 620 }, (_, i) => deposit(`e${i}`, 1, nowS - 1000 + i));
    await tables.apply([
      ...events,
      userEvent({ id: 'k', name: 'kyc', createdAt: nowS, attributes: { status: 'passed' } }),
    ]);
    expect(await tables.count('events', `name = 'deposit'`)).toBe(500);
    expect(await tables.count('events', `name = 'kyc'`)).toBe(1);
    expect(await tables.count('awards', `task_id = '${everyDeposit.definitionId}'`)).toBe(620);
    expect(await tables.count('awards', `task_id = '${bigSpender.definitionId}'`)).toBe(1);
  });

  it('pays each occurrence once when two instances apply the same events in different orders', async () => {
    await tables.linkUsers('user-0', 'user-1', 'user-2', 'user-3');
    const events = Array.from({ length: 200 }, (_, i) =>
      userEvent({ id: `e${i}`, createdAt: nowS - i, userId: `user-${i % 4}`, attributes: { amount: '1' } }),
    );
    const other = tables.newParts();
    const run = async (by: ApplyParts, list: UserEventData[]): Promise<void> => {
      for (let at = 0; at < list.length; at += 20) await tables.apply(list.slice(at, at + 20), by);
    };
    await Promise.all([
      run(tables.parts, events),
      run(other, [...events].reverse()),
      run(tables.parts, rotated(events, 90)),
    ]);
    await tables.makeDueTimesExact();
    const concurrent = await tables.state();
    expect(await tables.count('awards', `task_id = '${everyDeposit.definitionId}'`)).toBe(200);
    expect(await tables.count('ledger_entries')).toBe(await tables.count('awards'));
    await tables.clear();
    await tables.linkUsers('user-0', 'user-1', 'user-2', 'user-3');
    await tables.apply(events);
    await tables.makeDueTimesExact();
    expect(concurrent).toEqual(await tables.state());
  });

  it('pays a partner account once although it is linked to two users in turn', async () => {
    await tables.apply([deposit('a', 100)]);
    const second = userEvent({
      id: 'b',
      createdAt: nowS,
      userId: 'user-2',
      platformUserId: 'sub-of-user-1',
      attributes: { amount: '100' },
    });
    expect((await tables.apply([second])).awards).toEqual([]);
    // The occurrence is settled for the second user: the next one is paid.
    expect((await tables.apply([{ ...second, event: { ...second.event, id: 'c' } }])).awards).toHaveLength(1);
  });

  it('separates equal ids of two partners', async () => {
    const foreign = { ...deposit('a', 100), platform: 'other' };
    await tables.apply([foreign, deposit('a', 1)]);
    expect(await tables.count('inbox')).toBe(2);
    expect(await tables.count('awards')).toBe(1);
  });

  it('refuses a batch that does not follow the stored position, as a whole', async () => {
    const batch = (position: bigint | null, nextOffset: bigint, ...events: UserEventData[]): EventBatch => {
      const place = { topic: 'positions', partition: 3, position, nextOffset };
      return { ...place, events: events.map((data) => ({ data })) };
    };
    await applyBatch(tables.parts, batch(null, 7n));
    await applyBatch(tables.parts, batch(7n, 10n));
    for (const position of [null, 6n, 7n, 11n])
      await expect(applyBatch(tables.parts, batch(position, 12n, deposit('skipped', 1)))).rejects.toThrow(
        PositionMovedError,
      );
    expect(await tables.count('inbox')).toBe(0);
    const { rows } = await tables.pool.query(`SELECT next_offset FROM engagement.positions WHERE topic = 'positions'`);
    expect(rows).toEqual([{ next_offset: 10 }]);
  });

  it('refuses to change awards', async () => {
    await tables.apply([deposit('a', 1)]);
    for (const change of [
      `UPDATE engagement.ledger_entries SET kind = 'reversed'`,
      `DELETE FROM engagement.ledger_entries`,
      `UPDATE engagement.awards SET reward = '{}'`,
    ])
      await expect(tables.pool.query(change)).rejects.toThrow('only added to');
  });
});

function rotated<T>(items: readonly T[], by: number): T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}

const onTime = fc
  .oneof(
    fc.integer({ min: nowS - 5, max: nowS + 299 }),
    fc.integer({ min: nowS - 4 * 3600, max: nowS }),
    fc.integer({ min: nowS - 40 * 86_400, max: nowS }),
  )
  .map((createdAt) => ({ createdAt, receivedAt: createdAt * 1000 }));

const late = fc.record({
  createdAt: fc.integer({ min: nowS - 300 * 86_400, max: nowS - 60 * 86_400 }),
  receivedAt: fc.integer({ min: nowS - 20 * 86_400, max: nowS }).map((s) => s * 1000),
});

/**
 * Few users, names and instants, so that ties and repeats are common; ids are given later. Every order is possible because the
 * receipts lie within the lateness horizon and the week beside it, in which nothing becomes final.
 */
const anyEvent = fc.record({
  userId: fc.constantFrom('user-0', 'user-1', 'user-2'),
  name: fc.constantFrom('deposit', 'kyc', 'bet'),
  times: fc.oneof({ weight: 4, arbitrary: onTime }, { weight: 1, arbitrary: late }),
  amount: fc.constantFrom('0.1', '0.20', '33.333', '70', 'many'),
  status: fc.constantFrom('passed', 'failed'),
});

type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer E> ? E : never;

function withIds(events: readonly AnyEvent[]): UserEventData[] {
  return events.map(({ amount, status, times, ...event }, index) =>
    userEvent({
      ...event,
      ...times,
      // Bytes decide ties: 'Z' comes before 'a'.
      id: `${index % 2 === 0 ? 'Z' : 'a'}${index}`,
      attributes: event.name === 'kyc' ? { status } : { amount },
    }),
  );
}
