import {
  BonusAwardIssuedData,
  TopicRow,
  bonusAwardAnswered,
  bonusAwardIssued,
  bonusAwardReversed,
  decodeRecord,
  encodeRecord,
  topics,
} from '@podium/messages';
import { createTopics } from '@podium/runtime/kafka';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { Kafka, logLevel } from 'kafkajs';
import { Client, Pool } from 'pg';
import { BonusEngine, openPool } from './bonus-engine-consumer';

const { kafkaBrokers } = localStack();
const kafka = new Kafka({ brokers: [...kafkaBrokers], logLevel: logLevel.NOTHING });
const awards: TopicRow = { ...topics.awards, name: freshName('awards') };
const results: TopicRow = { ...topics.awardResults, name: freshName('results') };
const groupId = freshName('bonus-engine');

describe('the example of a bonus engine', () => {
  const admin = kafka.admin();
  const producer = kafka.producer();
  const answers = kafka.consumer({ groupId: freshName('answers'), maxWaitTimeInMs: 50 });
  const printed: string[] = [];
  const answered: { award_id: string; seq: number; result: string; reason?: string }[] = [];
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = openPool(database.url, (line) => printed.push(line));
    await admin.connect();
    await createTopics(
      admin,
      [awards, results].map(({ name }) => ({ topic: name, numPartitions: 2, replicationFactor: 1 })),
    );
    await producer.connect();
    await answers.connect();
    await answers.subscribe({ topic: results.name, fromBeginning: true });
    await answers.run({
      eachMessage: async ({ message }) => {
        const decoded = decodeRecord([bonusAwardAnswered], message.value);
        if (!decoded.ok) throw new Error(decoded.reason);
        answered.push(decoded.record.data);
      },
    });
  });

  afterAll(async () => {
    await answers.disconnect();
    await producer.disconnect();
    await admin.deleteTopics({ topics: [awards.name, results.name] });
    await admin.disconnect();
    await pool.end();
    await database.drop();
  });

  it('pays each entry once over repeats and restarts, takes back what is reversed, and answers by the schema', async () => {
    await send([issued('a'), issued('a'), issued('b'), issued('item', { item: 'cup' })]);
    await withEngine(() => until(() => answered.length >= 4));
    // The same records again, as after a crash of the engine, of Podium's relay, or of both.
    await send([issued('b'), issued('a'), reversed('b'), reversed('b'), reversed('item', { item: 'cup' })]);
    await withEngine(() => until(() => answered.length >= 9));

    const { rows } = await pool.query(`SELECT user_id, unit, amount FROM balances`);
    expect(rows).toEqual([{ user_id: 'user-1', unit: 'EUR', amount: '0.10' }]);
    const distinct = [...new Set(answered.map((answer) => JSON.stringify(answer)))].sort();
    expect(distinct.map((text) => JSON.parse(text) as unknown)).toEqual([
      { award_id: 'a', seq: 1, result: 'confirmed' },
      { award_id: 'b', seq: 1, result: 'confirmed' },
      { award_id: 'b', seq: 3, result: 'confirmed' },
      { award_id: 'item', seq: 1, result: 'rejected', reason: 'items are not paid here' },
      // What was rejected was not paid: a rejected reversal would tell Podium that the user has it.
      { award_id: 'item', seq: 3, result: 'confirmed' },
    ]);
  });

  it('prints a line for each award', () => {
    expect(printed.filter((line) => !line.startsWith('Waiting')).sort()).toEqual(
      [
        'Already handled (confirmed), answered again: 0.10 EUR for user-1 (award a, entry 1)',
        'Already handled (confirmed), answered again: 0.10 EUR for user-1 (award a, entry 1)',
        'Already handled (confirmed), answered again: 0.20 EUR for user-1 (award b, entry 1)',
        'Already handled (confirmed), answered again: 0.20 EUR for user-1 (award b, entry 3)',
        'Paid 0.10 EUR: user-1 (award a, entry 1)',
        'Paid 0.20 EUR: user-1 (award b, entry 1)',
        'Nothing to take back: cup of user-1 (award item, entry 3)',
        'Rejected: cup for user-1, items are not paid here (award item, entry 1)',
        'Took back 0.20 EUR: user-1 (award b, entry 3)',
      ].sort(),
    );
  });

  it('goes on paying after Postgres has closed its idle connections', async () => {
    const isBroken = (line: string): boolean => line.startsWith('A connection to Postgres broke: ');
    await withEngine(async () => {
      await closeConnections();
      await until(() => printed.some(isBroken));
      await send([issued('after')]);
      await until(() => printed.some((line) => line.startsWith('Paid') && line.includes('award after,')));
    });
  });

  /** Ends all sessions in the database, as a restart of Postgres does. */
  async function closeConnections(): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await client.end();
  }

  async function withEngine(work: () => Promise<void>): Promise<void> {
    const engine = new BonusEngine({
      brokers: [...kafkaBrokers],
      pool,
      groupId,
      awardsTopic: awards.name,
      resultsTopic: results.name,
      print: (line) => printed.push(line),
    });
    await engine.start();
    await work();
    await engine.stop();
  }

  async function send(values: Buffer[]): Promise<void> {
    await producer.send({ topic: awards.name, messages: values.map((value) => ({ key: 'acme:user-1', value })) });
  }
});

function issued(awardId: string, reward: { item?: string } = {}): Buffer {
  const data = awardData(awardId, 1, reward);
  return encodeRecord(bonusAwardIssued, { ...envelopeOf(data), data });
}

function reversed(awardId: string, reward: { item?: string } = {}): Buffer {
  const data = { ...awardData(awardId, 3, reward), reason: 'a late event undid the goal' };
  return encodeRecord(bonusAwardReversed, { ...envelopeOf(data), data });
}

function envelopeOf({ award_id, seq }: BonusAwardIssuedData) {
  return { id: `${award_id}-${seq}`, revision: 1, occurred_at: 1, key: 'acme:user-1', source: 'engagement' };
}

function awardData(awardId: string, seq: number, reward: { item?: string } = {}): BonusAwardIssuedData {
  return {
    award_id: awardId,
    seq,
    task_id: 'task-1',
    task_version: 1,
    occurrence: `g1:every:${awardId}`,
    platform: 'acme',
    organizer_id: 'organizer-1',
    user_id: 'user-1',
    platform_user_id: 'sub-1',
    // Not exact in binary floating point: 0.10 + 0.20 - 0.20 must be 0.10.
    reward: { type: 'bonus_money', amount: awardId === 'a' ? '0.10' : '0.20', currency: 'EUR', ...reward },
    reached_at: 1,
  };
}

async function until(condition: () => boolean, timeoutMs = 20_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !condition(); await new Promise((wait) => setTimeout(wait, 25)))
    if (Date.now() > endMs) throw new Error('waited in vain');
}
