import { Queryable } from '@podium/runtime/postgres';
import { GivenDefinitions, deposits, segmentOf, taskOf } from '../../test/given-definitions';
import { Condition } from '../evaluation/condition';
import { EngineDefinition } from '../evaluation/definition';
import { LiveDefinitions } from './live-definitions';

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const count = { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' } as const;
const noNumber: Condition = { latest: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: 'ten' }] };

const once = { goal: count, repeat: { once: true } } as const;
const whole = taskOf(id(1), once);
const broken = segmentOf(id(2), noNumber);
const onBroken = segmentOf(id(3), { all: [{ in_segment: id(2) }, count] });
const forBroken = taskOf(id(4), { goal: count, repeat: { once: true }, eligible: id(3) });

const money = { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, USD: 1 } } as const;
const converting = segmentOf(id(5), {
  ...{ sum: deposits, attribute: 'amount', convert_to: 'EUR', window: { lifetime: true }, op: 'gte', value: '1' },
});

/** The name of a zone, an operator or a period that only another release has. */
const unknown = 'Other/Release' as never;
const segment = segmentOf(id(2), count);
const [version] = segment.versions;
const unknownTest = { attribute: 'amount', op: unknown, value: '1' } as const;
const streak: Condition = { streak: deposits, every: 'day', op: 'gte', value: '1' };

/** Definitions without converted money read no rates. */
const noDatabase = {} as Queryable;

function live(): {
  given: GivenDefinitions;
  logged: unknown[];
  definitions: LiveDefinitions;
  ids: () => Promise<string[]>;
  /** The platforms of which what is kept stays. */
  partial: () => Promise<string[]>;
} {
  const given = new GivenDefinitions();
  const logged: unknown[] = [];
  const definitions = new LiveDefinitions(given, { error: (fields: object) => void logged.push(fields) });
  return {
    ...{ given, logged, definitions },
    ids: async () => [...(await definitions.current(noDatabase)).byId.keys()],
    partial: async () => {
      const set = await definitions.current(noDatabase);
      return ['acme', 'other'].filter((platform) => set.isPartial(platform) && set.keptState(platform, 'x').isPartial);
    },
  };
}

describe('definitions that cannot be compiled', () => {
  it('are left out with those that depend on them, logged and counted; the others are evaluated', async () => {
    const { given, logged, definitions, ids, partial } = live();
    given.set(onBroken, forBroken, whole, broken);
    expect(await ids()).toEqual([whole.definitionId]);
    expect(definitions.leftOutCount).toBe(3);
    expect(logged).toMatchObject(
      [onBroken, forBroken, broken].map(({ definitionId }) => ({ definition_id: definitionId })),
    );
    expect(logged).toMatchObject([{}, {}, { kind: 'segment', platform: 'acme', err: expect.any(TypeError) as Error }]);
    // Until the definitions change, nothing is compiled again.
    await ids();
    expect(logged).toHaveLength(3);
    expect(await partial()).toEqual(['acme']);
    given.set(whole, { ...broken, endedAt: 1_000 });
    expect(await ids()).toEqual([whole.definitionId]);
    expect(await partial()).toEqual([]);
    expect([definitions.leftOutCount, logged.length]).toEqual([0, 3]);
  });

  it.each<[string, EngineDefinition, RegExp]>([
    ['the zone of a task', taskOf(id(2), { ...once, zone: unknown }), /zone/],
    [
      'the zone of a segment',
      { ...segment, versions: [{ ...version, body: { ...version.body, zone: unknown } }] },
      /zone/,
    ],
    ['the operator of a test', segmentOf(id(2), { latest: 'deposit', where: [unknownTest] }), /comparison/],
    ['the operator of a comparison', taskOf(id(2), { ...once, goal: { ...count, op: unknown } }), /comparison/],
    ['the period of a repeat', taskOf(id(2), { ...once, repeat: { per: unknown } }), /period/],
    ['the period of a window', segmentOf(id(2), { ...count, window: { calendar: unknown } }), /period/],
    ['the period of a streak', segmentOf(id(2), { ...streak, every: unknown }), /period/],
  ])('are left out where this process does not know %s', async (_part, definition, reason) => {
    const { given, logged, definitions, ids } = live();
    given.set(definition, whole);
    expect(await ids()).toEqual([whole.definitionId]);
    expect(definitions.leftOutCount).toBe(1);
    const message = expect.stringMatching(new RegExp(`${reason.source}.* ${unknown}`)) as string;
    expect(logged).toMatchObject([{ definition_id: id(2), err: { message } }]);
  });

  it('are left out too where their stored versions cannot be read', async () => {
    const { given, logged, definitions, ids, partial } = live();
    const reason = new TypeError('a body of another release');
    given.set(onBroken, forBroken, whole);
    given.setUnreadable({ definitionId: id(2), kind: 'segment', platform: 'acme', endedAt: null, reason });
    expect(await ids()).toEqual([whole.definitionId]);
    expect(definitions.leftOutCount).toBe(3);
    expect(logged).toEqual(
      [id(2), onBroken.definitionId, forBroken.definitionId].map(
        (definition_id) => expect.objectContaining({ err: reason, definition_id }) as object,
      ),
    );
    expect(await partial()).toEqual(['acme']);
    given.setUnreadable();
    expect(await ids()).toHaveLength(3);
    expect(await partial()).toEqual([]);
    expect(definitions.leftOutCount).toBe(0);
  });

  it('do not let the others be compiled again when something changes', async () => {
    const { given, definitions } = live();
    given.set(onBroken, whole, broken);
    const before = await definitions.current(noDatabase);
    given.set(onBroken, whole, broken, segmentOf(id(6), count));
    const now = await definitions.current(noDatabase);
    expect([...now.byId.keys()].sort()).toEqual([whole.definitionId, id(6)]);
    expect(now.byId.get(whole.definitionId)).toBe(before.byId.get(whole.definitionId));
    // One that was evaluated, and depends on what is left out now, is left out too.
    given.set({ ...onBroken, definitionId: id(7) }, whole, segmentOf(id(2), count));
    expect((await definitions.current(noDatabase)).byId.has(id(7))).toBe(true);
    given.set({ ...onBroken, definitionId: id(7) }, whole, broken);
    expect([...(await definitions.current(noDatabase)).byId.keys()]).toEqual([whole.definitionId]);
  });

  it('do not hide that the database fails', async () => {
    const { given, definitions, logged } = live();
    given.set({ ...converting, specs: { deposit: { amount: money } } });
    const failing = { query: () => Promise.reject(new Error('the connection was closed')) } as unknown as Queryable;
    await expect(definitions.current(failing)).rejects.toThrow('the connection was closed');
    expect(logged).toEqual([]);
  });
});

describe('a new epoch', () => {
  function slowly(): { given: GivenDefinitions; loads: () => number; fail: () => void; definitions: LiveDefinitions } {
    const given = new GivenDefinitions();
    let [loads, failing] = [0, false];
    const source = {
      readEpoch: () => given.readEpoch(),
      loadPublished: async () => {
        loads++;
        const fails = failing;
        failing = false;
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (fails) throw new Error('the connection was closed');
        return given.loadPublished();
      },
      isRebuilding: () => given.isRebuilding(),
    };
    return { given, loads: () => loads, fail: () => void (failing = true), definitions: new LiveDefinitions(source) };
  }

  it('is compiled once for all transactions that find it at the same time', async () => {
    const { given, loads, definitions } = slowly();
    given.set(whole);
    const found = await Promise.all([1, 2, 3].map(() => definitions.current(noDatabase)));
    expect([loads(), new Set(found).size]).toEqual([1, 1]);
    // One that comes while that of before is still being compiled is another one.
    given.set(whole, segment);
    const first = definitions.current(noDatabase);
    await Promise.resolve();
    given.set(segment);
    const second = await definitions.current(noDatabase);
    expect([[...(await first).byId.keys()].length, [...second.byId.keys()]]).toEqual([1, [segment.definitionId]]);
    expect(await definitions.current(noDatabase)).toBe(second);
  });

  it('is compiled by the others where the transaction fails that they waited for', async () => {
    const { given, fail, definitions } = slowly();
    given.set(whole);
    fail();
    const found = await Promise.allSettled([1, 2].map(() => definitions.current(noDatabase)));
    expect(found.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
