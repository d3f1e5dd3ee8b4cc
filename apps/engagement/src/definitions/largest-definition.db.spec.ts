import { CodedError, DefinitionData, TopicRow, topicMaxBytes, topics } from '@podium/messages';
import { FencedProducer, createKafka, ensureTopics, scanTopics } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Operator, OperatorRole } from '@podium/runtime/http';
import { Registry, createRegistry } from '@podium/runtime/metrics';
import { OutboxRelay } from '@podium/runtime/outbox';
import { Pool, createPool, dataSourceOptions } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, localStack } from '@podium/testing';
import { DataSource } from 'typeorm';
import { acmeIntegration } from '../../test/acme-catalogue';
import { until } from '../../test/own-topics';
import { migrations, schema } from '../migrations';
import { Catalogue } from './catalogue';
import { checkTask } from './check-task';
import { Definition } from './definition.entity';
import { DefinitionsService } from './definitions.service';
import { GivenVersion } from './draft-version';
import { DefinitionsStore } from './definitions.store';

/** As long as OpenID Connect allows them. */
const editor = operator('e'.repeat(255), 'editor');
const approver = operator('a'.repeat(255), 'approver');
const name = '€'.repeat(85);
const replacedVersions = 400;

describe('the largest definition', () => {
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
  const row = topics.definitions as TopicRow;
  let database: FreshDatabase;
  let pool: Pool;
  let dataSource: DataSource;
  let relay: OutboxRelay;
  let definitions: DefinitionsService;

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 8, service: 'test' }, logger, createRegistry('test'));
    dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    const catalogue = new Catalogue();
    catalogue.apply('acme', { data: acmeIntegration } as never);
    definitions = new DefinitionsService(new DefinitionsStore(dataSource), catalogue);
    relay = new OutboxRelay({
      ...{ pool, schema, source: 'engagement', topics: [row], logger, registry: new Registry() },
      producer: new FencedProducer(kafka, { logger, registry: new Registry() }),
      fence: { pass: async () => undefined },
    });
    relay.start();
    await until(async () => relay.isLeading(), 'the relay leads');
  }, 60_000);

  afterAll(async () => {
    await relay?.stop();
    await dataSource?.destroy();
    await pool?.end();
    await database?.drop();
  });

  it('is published, paused, resumed and ended, and Kafka takes each of its records', async () => {
    const id = await withReplacedVersions();
    expect((await fill(id))?.code).toBe('conflict');
    await addAudit(id);
    await definitions.publish('task', approver, id, { version: (await versionNumbers(id)).length });
    await definitions.move('task', editor, id, 'paused');
    await definitions.move('task', editor, id, 'published');
    await definitions.move('task', editor, id, 'ended');
    await until(isOutboxEmpty, 'all records are published');
    const value = await newestRecord();
    const { data } = JSON.parse(value.toString()) as { data: DefinitionData };
    expect(data).toMatchObject({ definition_id: id, versions: await versionNumbers(id) });
    expect(data.versions.at(-1)?.state).toBe('ended');
    expect(data.audit).toHaveLength(100);
    expect(data.audit.at(-1)).toMatchObject({ action: 'task.ended', operator_id: editor.operatorId });
    expect(value.length).toBeGreaterThan(0.98 * topicMaxBytes);
  }, 120_000);

  it('is refused with its first version if that is too large', async () => {
    const create = definitions.create('task', editor, 'acme', versionOf(1024 * 1024));
    await expect(create).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('State fewer or shorter tests and values'),
    });
    expect(await isOutboxEmpty()).toBe(true);
  });

  /** A task with as many versions, each of which replaced the one before. */
  async function withReplacedVersions(): Promise<string> {
    const [{ definitionId }] = await definitions.create('task', editor, 'acme', versionOf(1));
    await pool.query(
      `UPDATE engagement.definitions SET state = 'replaced', generation = 1, published_by = $2, published_at = created_at,
         counts_from = created_at, in_force_from = 1, ended_at = created_at WHERE definition_id = $1`,
      [definitionId, approver.operatorId],
    );
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, generation, published_by, published_at, counts_from,
         in_force_from, ended_at)
       SELECT definition_id, number, kind, platform, organizer_id, name, body, attribute_types, state, created_by,
         created_at, generation, published_by, published_at, counts_from, number, ended_at
       FROM engagement.definitions CROSS JOIN generate_series(2, $2) AS number WHERE definition_id = $1`,
      [definitionId, replacedVersions],
    );
    return definitionId;
  }

  /** Adds versions, smaller and smaller ones, until none has room; returns the last error. */
  async function fill(id: string): Promise<CodedError | null> {
    let refused: CodedError | null = null;
    for (let bytes = 128 * 1024; bytes >= 64;)
      try {
        await definitions.addVersion('task', editor, id, versionOf(bytes));
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        refused = error;
        bytes >>= 1;
      }
    return refused;
  }

  /** Fills the part of the audit trail that is in the record. */
  async function addAudit(id: string): Promise<void> {
    const details = { version: 1, name, generation: 1, in_force_from: 1, max_per_day: 1, dry_run: id };
    await pool.query(
      `INSERT INTO engagement.audit (operator_id, organizer_id, action, subject, details)
       SELECT $1, 'organizer-1', 'task.published', $2, $3 FROM generate_series(1, 100)`,
      [editor.operatorId, id, JSON.stringify(details)],
    );
  }

  async function isOutboxEmpty(): Promise<boolean> {
    return (await pool.query('SELECT FROM engagement.outbox LIMIT 1')).rowCount === 0;
  }

  async function versionNumbers(id: string): Promise<{ version: number }[]> {
    const { rows } = await pool.query<{ version: number }>(
      'SELECT version FROM engagement.definitions WHERE definition_id = $1 ORDER BY version',
      [id],
    );
    return rows;
  }

  async function newestRecord(): Promise<Buffer> {
    const { rows } = await pool.query<{ next: string }>(
      'SELECT next_offset::text AS next FROM engagement.outbox_positions WHERE topic = $1',
      [row.name],
    );
    const to = BigInt(rows[0].next);
    const values: (Buffer | null)[] = [];
    await scanTopics({
      ...{ kafka, logger, ranges: [{ topic: row.name, partition: 0, from: to - 1n, to }] },
      onRecords: (records) => void values.push(...records.map(({ value }) => value)),
    });
    return values[0] as Buffer;
  }
});

/** A version whose condition names values of so many bytes. */
function versionOf(bytes: number): GivenVersion {
  const value = Array.from({ length: Math.ceil(bytes / 12_000) }, (_, index) =>
    `${index}`.padEnd(Math.ceil(Math.min(bytes, 12_000) / 3), '€'),
  );
  const filter = { event: 'deposit', where: [{ attribute: 'method', op: 'in', value }] };
  const goal = { count: filter, op: 'gte', value: 1 };
  const task = { goal, repeat: { once: true }, reward: { type: 'points', amount: '1' }, budget: { total: '1' } };
  return { name, check: (catalogue) => checkTask(task, catalogue) };
}

function operator(operatorId: string, role: OperatorRole): Operator {
  return { operatorId, roles: new Map([['organizer-1', [role]]]) };
}
