import { identityDigest } from '@podium/messages';
import type { Operator } from '@podium/runtime/http';
import { Registry } from '@podium/runtime/metrics';
import { dataSourceOptions } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { DataSource } from 'typeorm';
import { AppliedTables, everyDeposit, nowS } from '../../test/applied-tables';
import { deposits } from '../../test/given-definitions';
import { storeDefinitions } from '../../test/stored-definitions';
import { UnissuedService } from '../approvals/unissued.service';
import { Catalogue } from '../definitions/catalogue';
import { Definition } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { DefinitionsStore } from '../definitions/definitions.store';
import { EraseUsers } from '../erasures/erase-users';
import { pseudonymOf } from '../erasures/pseudonym';
import { TaskBody, TaskDefinition, horizonS } from '../evaluation/definition';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { schema } from '../migrations';
import { ExplainService } from './explain.service';
import { TaskExplanationReply } from './explanation.dto';

const viewer: Operator = { operatorId: 'op', roles: new Map([['organizer-1', ['viewer']]]) };
const taskId = everyDeposit.definitionId;

describe('the explanation of a task', () => {
  let tables: AppliedTables;
  let dataSource: DataSource;
  let explain: ExplainService;
  let unissued: UnissuedService;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    dataSource = new DataSource(
      dataSourceOptions({ url: tables.databaseUrl, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    const definitions = new DefinitionsService(new DefinitionsStore(dataSource), new Catalogue());
    const { pool, parts } = tables;
    const now = (): number => tables.clockMs;
    explain = new ExplainService(pool, definitions, parts.definitions, now);
    const metrics = new EngagementMetrics(new Registry());
    unissued = new UnissuedService(pool, definitions, parts.definitions, metrics, now);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await tables.drop();
  });

  async function given(changes: Partial<TaskDefinition> = {}, body: Partial<TaskBody> = {}): Promise<void> {
    await tables.clear();
    const { versions, ...others } = everyDeposit as TaskDefinition;
    const task = {
      ...others,
      versions: versions.map((each) => ({ ...each, body: { ...each.body, ...body } })),
      ...changes,
    };
    tables.given.set(task);
    await storeDefinitions(dataSource, [task]);
  }

  const deposit = (id: string, userId: string, account: string, createdAt: number, amount = '1'): Promise<unknown> =>
    tables.apply([userEvent({ id, createdAt, userId, platformUserId: account, attributes: { amount } })]);
  const explained = (userId: string): Promise<TaskExplanationReply> =>
    explain.task(viewer, taskId, { user_id: userId });

  it('names the user to whom a blocked account was paid, and how much of the maximum is used up', async () => {
    await given();
    await deposit('a1', 'ann', 'shared', nowS - 50);
    await deposit('a2', 'ann', 'shared', nowS - 40);
    await deposit('b1', 'bob', 'shared', nowS - 30);
    await deposit('b2', 'bob', 'own', nowS - 20);
    expect(await explained('ann')).toMatchObject({
      ...{ max_per_user: 1_000, max_per_user_filled: 2 },
      occurrences: [{ blocked_by: null }, { blocked_by: null }],
    });
    expect(await explained('bob')).toMatchObject({
      ...{ max_per_user: 1_000, max_per_user_filled: 1 },
      occurrences: [
        { first: 'g1:every:1', state: 'blocked', platform_user_id: 'shared', blocked_by: 'ann' },
        { first: 'g1:every:2', state: 'issued', platform_user_id: 'own', blocked_by: null },
      ],
    });
    await new EraseUsers(tables.pool).apply({
      ...{ topic: 'erasures', partition: 0, position: 'any', nextOffset: 1n },
      erasures: [{ erasure_id: 'e', users: [identityDigest('acme', 'ann').toString('hex')], erased_at: nowS }],
    });
    expect((await explained('bob')).occurrences[0]).toMatchObject({
      ...{ state: 'blocked', blocked_by: pseudonymOf('acme', 'ann') },
    });
  });

  it('names the approver who has paid what a limit had held', async () => {
    const goal = { sum: deposits, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '1' } as const;
    await given({}, { goal, max_per_event: 1 });
    await deposit('a1', 'ann', 'account-a', nowS - 50, '3');
    const approver: Operator = { operatorId: 'approver-7', roles: new Map([['organizer-1', ['approver']]]) };
    const { items } = await unissued.list(approver, taskId, { limit: 10 });
    expect(items).toMatchObject([{ status: 'held_by_limit', occurrences: 2 }]);
    await unissued.pay(approver, taskId, { ids: [items[0].id] });
    const { awards } = await explained('ann');
    expect(awards.map(({ occurrence, entries }) => [occurrence, ...entries.map(({ reason }) => reason)])).toEqual([
      ['g1:every:3', 'paid by the approver approver-7'],
      ['g1:every:2', 'paid by the approver approver-7'],
      ['g1:every:1', null],
    ]);
  });

  it('says when a task was ended by hand, and that what its pause held is never paid', async () => {
    const endedAt = nowS - 60;
    await given({ endedAt, paused: true });
    await tables.pool.query(`UPDATE engagement.definitions SET ended_while_paused = true WHERE definition_id = $1`, [
      taskId,
    ]);
    await deposit('c1', 'cid', 'account-c', endedAt - 1);
    await deposit('c2', 'cid', 'account-c', endedAt);
    const iso = (atS: number): string => new Date(atS * 1000).toISOString();
    expect(await explained('cid')).toMatchObject({
      paused: true,
      dates: { ends_at: iso(endedAt), closes_at: iso(endedAt + horizonS), within: false },
      occurrences: [{ first: 'g1:every:1', last: 'g1:every:1', state: 'held_by_pause' }],
    });
  });
});
