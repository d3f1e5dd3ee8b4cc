import { randomUUID } from 'node:crypto';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { EarlierTables } from '@podium/testing/earlier-tables';
import fc from 'fast-check';
import { DefinitionsApi, inDays, startDefinitionsApi } from '../../test/definitions-api';
import { describedSet } from '../../test/described-set';
import { propertyOptions } from '../../test/property-options';
import { pauseTask } from '../definitions/engine-pauses.store';
import { moveEpoch } from '../definitions/epoch.store';
import { schema } from '../migrations';
import { LiveDefinitions } from './live-definitions';

const compared = { window: { rolling: 'P30D' }, op: 'gte' } as const;
const count = (value: number) => ({ ...compared, count: { event: 'deposit' }, value });
const euros = (value: number) => ({
  ...{ ...compared, window: { lifetime: true } },
  ...{ sum: { event: 'deposit' }, attribute: 'paid', convert_to: 'EUR', value },
});
const once = { repeat: { once: true }, reward: { type: 'points', amount: '5' } } as const;
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** A change with a random number, and whether the process that misses most of them sees what it has made. */
interface Step {
  readonly what: string;
  readonly value: number;
  readonly isSeen: boolean;
}

/** How definitions change. Each takes a random number and returns whether it has changed something. */
type Changes = Readonly<Record<string, (value: number) => Promise<boolean>>>;

describe('definitions of which only the changed ones are loaded', () => {
  let api: DefinitionsApi;
  let earlier: EarlierTables;
  let ids: { segments: string[]; tasks: string[] };
  let versions = 0;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    earlier = new EarlierTables(api.pool, schema, [
      'definitions',
      'definition_epoch',
      'rates',
      'replays',
      'replay_partitions',
    ]);
  });
  afterAll(() => api?.stop());

  const pick = (from: readonly string[], value: number): string => from.at(value % from.length) ?? randomUUID();
  const pathOf = (value: number): string => {
    const all = [...ids.segments.map((id) => `/segments/${id}`), ...ids.tasks.map((id) => `/tasks/${id}`)];
    return all.at(value % all.length) ?? `/segments/${randomUUID()}`;
  };
  /** The first definition of which a version satisfies a condition; one that does not exist if there is none. */
  const idOf = async (where: string): Promise<string> => {
    const { rows } = await api.pool.query<{ id: string }>(
      `SELECT definition_id AS id FROM engagement.definitions WHERE ${where} ORDER BY definition_id LIMIT 1`,
    );
    return rows.at(0)?.id ?? randomUUID();
  };
  const move = (verb: string) => async (value: number) => {
    return (await api.call('POST', `${pathOf(value)}/${verb}`)).status === 200;
  };
  /** The path of the definition; null where it takes no further version. */
  const draft = async (value: number): Promise<string | null> => {
    const path = pathOf(value);
    const body = path.startsWith('/segments') ? { condition: count(value) } : { goal: count(value), ...once };
    const { status } = await api.call('POST', `${path}/versions`, { name: 'Edited', ...body });
    return status === 201 ? path : null;
  };
  /** A change beside the API, as the engine, a restore and a failover make it. */
  const beside = async (work: (tx: Queryable) => Promise<number>): Promise<boolean> =>
    inTransaction(api.pool, async (tx) => {
      const changed = await work(tx);
      await moveEpoch(tx);
      return changed > 0;
    });
  const update = (text: string, values: unknown[] = []): Promise<boolean> =>
    beside(async (tx) => (await tx.query(text, values)).rowCount ?? 0);
  const create = async (kind: 'segments' | 'tasks', body: object): Promise<boolean> => {
    const { status, json } = await api.call('POST', `/${kind}`, { platform: 'acme', name: 'One of many', ...body });
    if (status !== 201) return false;
    const id = (json.segment_id ?? json.task_id) as string;
    ids[kind].push(id);
    return (await api.publish(`/${kind}/${id}`)).status === 200;
  };
  /** What another release has published. */
  const insert = async (definitionId: string, body: object): Promise<boolean> =>
    update(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_by, published_at, counts_from, in_force_from)
       VALUES ($1, 1, 1, 'segment', 'acme', 'organizer-1', 'of another release', $2, '{}', 'published', 'op', now(), 'op', now(), now(), 1)`,
      [definitionId, body],
    );

  const changes: Changes = {
    segment: (value) => create('segments', { condition: count(value) }),
    'segment of a segment': (value) =>
      create('segments', { condition: { all: [{ in_segment: pick(ids.segments, value) }, count(value)] } }),
    task: (value) => create('tasks', { goal: count(value), ...once, budget: { total: '100' } }),
    'task of a segment': (value) =>
      create('tasks', { goal: count(value), ...once, eligible: pick(ids.segments, value) }),
    'task with rates': (value) => create('tasks', { goal: euros(value), ...once }),
    version: async (value) => {
      const path = await draft(value);
      return path !== null && (await api.publish(path, { in_force_from: inDays(++versions) })).status === 200;
    },
    draft: async (value) => (await draft(value)) !== null,
    pause: move('pause'),
    resume: async () => {
      const [task, segment] = [
        await idOf(`state = 'paused' AND kind = 'task'`),
        await idOf(`state = 'paused' AND kind = 'segment'`),
      ];
      const calls = [`/tasks/${task}/resume`, `/segments/${segment}/resume`].map((path) => api.call('POST', path));
      return (await Promise.all(calls)).some(({ status }) => status === 200);
    },
    end: move('end'),
    rates: async (value) => {
      const rate = { from: 'USD', to: 'EUR', day: dayBefore(1 + (value % 300)), rate: `0.${value}1` };
      const body = { organizer_id: 'organizer-1', rates: [rate] };
      if ((await api.call('POST', '/rates', body)).status !== 200) return false;
      const approver = [{ 'organizer-1': 'approver' }, 'operator-2'] as const;
      return (await api.call('POST', '/rates/approve', body, ...approver)).status === 200;
    },
    budget: async (value) => {
      await changes['end of the rebuild'](value);
      const id = await idOf(`kind = 'task' AND state = 'published' AND body ? 'budget'`);
      const approver = [{ 'organizer-1': 'approver' }, 'operator-3'] as const;
      const raised = await api.call('POST', `/tasks/${id}/budget`, { total: `${1_000 + value}` }, ...approver);
      return raised.status === 200;
    },
    'pause by the engine': () =>
      beside(async (tx) => {
        const because = { day: dayBefore(0), awards: 5, max_per_day: 2 };
        return (await pauseTask(tx, await idOf(`kind = 'task' AND state = 'published'`), because)) === null ? 0 : 1;
      }),
    'end of long ago': async () =>
      update(`UPDATE engagement.definitions SET ended_at = now() - interval '60 days' WHERE definition_id = $1`, [
        await idOf(`state = 'ended'`),
      ]),
    removal: (value) =>
      update(`DELETE FROM engagement.definitions WHERE definition_id = $1`, [pathOf(value).split('/')[2]]),
    'a body that cannot be read': async () => {
      const id = randomUUID();
      await insert(id, { condition: { of_another_release: true } });
      return insert(randomUUID(), { condition: { in_segment: id }, zone: 'UTC' });
    },
    'a zone that is not known': async (value) => {
      const id = randomUUID();
      await insert(id, { condition: { ...count(value), value: '1' }, zone: 'Other/Release' });
      return insert(randomUUID(), { condition: { in_segment: id }, zone: 'UTC' });
    },
    rebuild: () =>
      update(
        `INSERT INTO engagement.replays (kind, topic, ordered_by) VALUES ('rebuild', 't', 'op') ON CONFLICT DO NOTHING`,
      ),
    'end of the rebuild': () => update(`UPDATE engagement.replays SET finished_at = now() WHERE finished_at IS NULL`),
    'nothing but the epoch': () => beside(async () => 1),
    backup: async () => {
      await earlier.keep();
      return true;
    },
    'lost commits': async () => {
      await earlier.goBack();
      return true;
    },
  };

  it('are those that a new process loads, after any changes, however many of them it has missed', async () => {
    const done = new Map<string, number>();
    const stepOf = (what: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
      fc.record({ what, value: fc.integer({ min: 1, max: 400 }), isSeen: fc.boolean() });
    // Each of these changes something after those before it. All others follow, and then any.
    const first = [
      ...['segment', 'segment of a segment', 'task of a segment', 'task with rates', 'task', 'pause', 'resume'],
      ...['version', 'draft', 'budget', 'pause by the engine', 'end', 'end of long ago'],
    ];
    const others = Object.keys(changes).filter((what) => !first.includes(what));
    const steps = fc
      .tuple(fc.shuffledSubarray(others, { minLength: others.length }), fc.nat(10))
      .chain(([shuffled, more]) =>
        fc.tuple(
          ...[...first, ...shuffled].map((what) => stepOf(fc.constant(what))),
          ...Array.from({ length: more }, () => stepOf(fc.constantFrom(...Object.keys(changes), 'rates', 'pause'))),
        ),
      );
    const run = async (steps: readonly Step[]): Promise<void> => {
      await api.pool.query('TRUNCATE engagement.definitions, engagement.rates; DELETE FROM engagement.replays');
      ids = { segments: [], tasks: [] };
      await beside(async () => 1);
      await earlier.keep();
      const [always, sometimes] = [new LiveDefinitions(api.store), new LiveDefinitions(api.store)];
      for (const { what, value, isSeen } of steps) {
        if (await changes[what](value)) done.set(what, (done.get(what) ?? 0) + 1);
        await inTransaction(api.pool, async (tx) => {
          const fresh = new LiveDefinitions(api.store);
          const expected = describedSet(await fresh.current(tx));
          for (const live of isSeen ? [always, sometimes] : [always]) {
            expect(describedSet(await live.current(tx))).toEqual(expected);
            expect(live.leftOutCount).toBe(fresh.leftOutCount);
          }
        });
      }
    };
    await fc.assert(fc.asyncProperty(steps, run), propertyOptions(4));
    expect(Object.keys(changes).filter((what) => !done.has(what))).toEqual([]);
  }, 180_000);
});
