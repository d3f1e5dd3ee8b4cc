import { DefinitionData, definitionChanged, topics } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { PublishedRecord } from '@podium/runtime/outbox';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { EarlierTables } from '@podium/testing/earlier-tables';
import { QueryRunner } from 'typeorm';
import { DefinitionsApi, startDefinitionsApi } from '../../../test/definitions-api';
import { issueAwards } from '../../awards/awards.store';
import { pauseTasksOverRate } from '../../definitions/pause-over-rate';
import { DateRaisedBudgets1795100000025 } from '../../migrations/1795100000025-date-raised-budgets';
import { readRaisedBudget } from '../../budgets/raised-budget.queries';
import { LiveDefinitions } from '../../progress/live-definitions';
import { repairLostCommits } from './repair-lost-commits';
import { TakenDefinitions, takeDefinitions } from './restore-definitions';
import { PublishedDefinition } from './restored-definitions.store';

const condition = { count: { event: 'deposit' }, window: { rolling: 'P30D' }, op: 'gte', value: 3 };
const segment = { platform: 'acme', name: 'Active', condition };
const task = {
  ...{ platform: 'acme', name: 'Every deposit' },
  goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
  ...{ repeat: { every: '1' }, max_per_user: 10, reward: { type: 'points', amount: '4' }, budget: { total: '10' } },
};
const approver = { 'organizer-1': 'approver' };
const silent = createLog({ service: 'test', instance: 'test', level: 'silent' });

describe('definitions of before a restored moment', () => {
  let api: DefinitionsApi;
  let earlier: EarlierTables;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    const tables = [
      'definitions',
      'told_definitions',
      'budgets',
      'budget_shards',
      'audit',
      'definition_sweeps',
      'paused_sweeps',
    ];
    // A restored server runs no trigger.
    const query = (text: string) =>
      api.pool.query(`SET session_replication_role = replica; ${text}; SET session_replication_role = DEFAULT`);
    earlier = new EarlierTables({ query }, 'engagement', tables);
  });
  afterAll(() => api?.stop());

  it('are as they were published, with those made since; older records change nothing', async () => {
    const [changed, ended, untouched] = [
      await published('/segments', segment),
      await published('/tasks', task),
      await published('/segments', segment),
    ];
    const draft = await api.created('/tasks', task);
    await earlier.keep();
    const { platform: _platform, ...version } = segment;
    await api.call('POST', `/segments/${changed}/versions`, { ...version, name: 'Renamed' });
    await api.publish(`/segments/${changed}`);
    await api.call('POST', `/segments/${changed}/pause`);
    await api.call('POST', `/tasks/${ended}/end`);
    await api.publish(`/tasks/${draft}`);
    const made = await published('/tasks', { ...task, eligible: changed });
    await api.call('POST', `/tasks/${made}/versions`, { ...task, platform: undefined, name: 'Draft' });
    const expected = await state();
    const topic = await records();
    await earlier.goBack();
    expect(await state()).not.toEqual(expected);

    // Compaction keeps some older records, and a relay may repeat a page.
    expect(await take([...topic.slice(-3), ...topic])).toEqual({ added: 1, changed: 3, contradictions: [] });
    expect(await state()).toEqual(expected);
    const madeActions = ['task.created', 'task.published', 'task.version_added', 'task.restored'];
    expect(await actionsOf(made)).toEqual(madeActions);
    expect(await actionsOf(untouched)).toEqual(['segment.created', 'segment.published']);
    expect(await take(topic)).toEqual({ added: 0, changed: 0, contradictions: [] });

    // The next change is version 3 of what was taken.
    await api.call('POST', `/segments/${changed}/resume`);
    const answer = await api.call('POST', `/segments/${changed}/versions`, version);
    expect(answer.json).toMatchObject({ versions: [{}, { state: 'published' }, { version: 3, state: 'draft' }] });
    const later = await state();
    expect(await take(topic)).toEqual({ added: 0, changed: 0, contradictions: [] });
    expect(await state()).toEqual(later);
  });

  it('have their raised budgets, less what the ledger has', async () => {
    const known = await published('/tasks', task);
    await raise(known, 12);
    await earlier.keep();
    await raise(known, 20);
    const made = await published('/tasks', task);
    await raise(made, 30);
    for (const id of [known, made]) await issue(id);
    const topic = await records();
    await earlier.goBack();
    await take(topic);
    // A total that is not above the present one is shown, and changes nothing.
    expect(await raise(known, 20)).toMatchObject({ total: '20', left: '16' });
    expect(await raise(made, 30)).toMatchObject({ total: '30', left: '26' });
    const { rows } = await api.pool.query(
      `SELECT subject, details FROM engagement.audit WHERE action = 'task.budget_raised' ORDER BY audit_id`,
    );
    const amounts = [
      [known, '10', '12'],
      [known, '12', '20'],
      [made, '10', '30'],
    ];
    expect(rows).toEqual(amounts.map(([subject, from, to]) => ({ subject, details: { from, to } })));
  });

  it('that were resumed are not paused again for the same days', async () => {
    const id = await published('/tasks', { ...task, max_per_day: 1 });
    await api.pool.query(
      `INSERT INTO engagement.task_days (task_id, day, awards) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 5)`,
      [id],
    );
    expect(await pauseTasksOverRate(api.pool, silent)).toBe(1);
    await earlier.keep();
    await api.call('POST', `/tasks/${id}/resume`);
    const topic = await records();
    await earlier.goBack();
    await api.pool.query('UPDATE engagement.task_days SET accepted = false');
    await take(topic);
    expect((await api.call('GET', `/tasks/${id}`)).json).toMatchObject({ state: 'published' });
    expect(await pauseTasksOverRate(api.pool, silent)).toBe(0);
  });

  it('have the pauses of their backfills', async () => {
    const [paused, resumed, replaced] = [
      await published('/segments', segment),
      await published('/segments', segment),
      await published('/tasks', task),
    ];
    const order = (path: string, verb: 'pause' | 'resume') => api.call('POST', `${path}/backfill/${verb}`);
    for (const path of [`/segments/${resumed}`, `/tasks/${replaced}`])
      expect((await order(path, 'pause')).status).toBe(200);
    await earlier.keep();
    await order(`/segments/${paused}`, 'pause');
    await order(`/segments/${resumed}`, 'resume');
    const { platform: _platform, ...version } = task;
    await api.call('POST', `/tasks/${replaced}/versions`, { ...version, name: 'Renamed' });
    expect((await api.publish(`/tasks/${replaced}`)).status).toBe(200);
    const topic = await records();
    const readPauses = () => api.pool.query('SELECT definition_id, version, paused_by FROM engagement.paused_sweeps');
    const { rows: pauses } = await readPauses();
    expect(pauses).toEqual([{ definition_id: paused, version: 1, paused_by: 'operator-1' }]);
    await earlier.goBack();
    await take(topic);
    expect((await readPauses()).rows).toEqual(pauses);
    expect((await api.call('GET', `/segments/${paused}/backfill`)).json).toMatchObject({ state: 'paused' });
  });

  describe('keep a raised total', () => {
    let hours = 0;
    const stating = async (id: string, total: number): Promise<void> => {
      const { platform: _platform, ...version } = task;
      const answer = await api.call('POST', `/tasks/${id}/versions`, { ...version, budget: { total: String(total) } });
      expect(answer.status).toBe(201);
      hours++;
      const inForceFrom = new Date(Date.now() + hours * 3_600_000).toISOString();
      expect((await api.publish(`/tasks/${id}`, { in_force_from: inForceFrom })).status).toBe(200);
    };

    it('that was raised to the same again, after a version that had ended it', async () => {
      const id = await published('/tasks', task);
      await raise(id, 20);
      await earlier.keep();
      await stating(id, 30);
      await stating(id, 10);
      await raise(id, 20);
      const topic = await records();
      await earlier.goBack();
      await take(topic);
      expect(await readRaisedBudget(queryable(api.pool), id)).toEqual({ statedTotal: '10', total: '20' });
    });

    it('that the release before has restored, where its version is certain', async () => {
      const [certain, uncertain] = [await published('/tasks', task), await published('/tasks', task)];
      for (const id of [certain, uncertain]) await stating(id, 20);
      await stating(uncertain, 15);
      await stating(uncertain, 20);
      for (const id of [certain, uncertain]) await raise(id, 30);
      await api.pool.query('UPDATE engagement.budgets SET version = 0 WHERE task_id = ANY ($1::uuid[])', [
        [certain, uncertain],
      ]);
      await new DateRaisedBudgets1795100000025().up(api.pool as unknown as QueryRunner);
      const { rows } = await api.pool.query(
        'SELECT task_id, version FROM engagement.budgets WHERE task_id = ANY ($1)',
        [[certain, uncertain]],
      );
      expect(Object.fromEntries(rows.map((row) => [row.task_id, row.version]))).toEqual({
        ...{ [certain]: -2, [uncertain]: 0 },
      });
      expect(await readRaisedBudget(queryable(api.pool), certain)).toEqual({ statedTotal: '20', total: '30' });
    });
  });

  it('are left as they are where a published version has another content', async () => {
    const id = await api.created('/segments', segment);
    await earlier.keep();
    await api.publish(`/segments/${id}`);
    const topic = await records();
    await earlier.goBack();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await api.publish(`/segments/${id}`);
    const before = await state();
    const [newest] = topic.filter(({ data }) => data.definition_id === id).toReversed();
    expect(await take([{ ...newest, revision: 1_000_000 }])).toEqual({
      ...{ added: 0, changed: 0 },
      contradictions: [`${id} version 1`],
    });
    expect(await state()).toEqual(before);
  });

  it('are taken after a failover too, with their audit trail', async () => {
    await earlier.keep();
    const made = await published('/tasks', task);
    const topic = await records();
    await earlier.goBack();
    const lost = topic.map(({ revision, data }): PublishedRecord => {
      const record = {
        type: definitionChanged.type,
        revision,
        occurred_at: 1,
        data,
      } as unknown as PublishedRecord['record'];
      const place = { topic: topics.definitions.name, partition: 0, offset: BigInt(revision), key: data.definition_id };
      return { ...place, revision, timestampMs: 1, record };
    });
    await inTransaction(api.pool, (tx) => repairLostCommits(tx, lost, Date.now()));
    expect((await api.call('GET', `/tasks/${made}`)).json).toMatchObject({ state: 'published' });
    expect(await actionsOf(made)).toEqual(['task.created', 'task.published', 'task.restored']);
  });

  async function published(path: string, body: object): Promise<string> {
    const id = await api.created(path, body);
    expect((await api.publish(`${path}/${id}`)).status).toBe(200);
    return id;
  }

  async function raise(id: string, total: number): Promise<object> {
    const { status, json } = await api.call(
      ...(['POST', `/tasks/${id}/budget`, { total: String(total) }, approver, 'operator-3'] as const),
    );
    expect(status).toBe(200);
    return json;
  }

  function issue(taskId: string): Promise<void> {
    const award = {
      ...{ award_id: taskId, seq: 1, task_id: taskId, task_version: 1, occurrence: 'g1:every:1', platform: 'acme' },
      ...{ organizer_id: 'organizer-1', user_id: 'user-1', platform_user_id: 'sub-1', reached_at: 1 },
      reward: task.reward,
    };
    const evidence = { version: 1, values: {}, events: [] };
    return inTransaction(api.pool, (tx) => issueAwards(tx, [{ award, evidence }], Date.now()));
  }

  function take(topic: readonly PublishedDefinition[]): Promise<TakenDefinitions> {
    return inTransaction(api.pool, (tx) => takeDefinitions(tx, topic, 'spec'));
  }

  /** The records of the topic, oldest first. */
  async function records(): Promise<PublishedDefinition[]> {
    const { rows } = await api.pool.query<{ id: number; data: string }>(
      'SELECT id, data FROM engagement.outbox WHERE topic = $1 ORDER BY id',
      [topics.definitions.name],
    );
    return rows.map(({ id, data }) => ({ revision: Number(id), data: JSON.parse(data) as DefinitionData }));
  }

  /** All rows of definitions, and what the engine makes of them. */
  async function state(): Promise<object> {
    const { rows } = await api.pool.query('SELECT * FROM engagement.definitions ORDER BY definition_id, version');
    const live = await inTransaction(api.pool, (tx) => new LiveDefinitions(api.store).current(tx));
    return { rows, live: [...live.byId.values()].map(({ definition }) => definition) };
  }

  async function actionsOf(id: string): Promise<string[]> {
    const { rows } = await api.pool.query<{ action: string }>(
      'SELECT action FROM engagement.audit WHERE subject = $1 ORDER BY audit_id',
      [id],
    );
    return rows.map(({ action }) => action);
  }
});
