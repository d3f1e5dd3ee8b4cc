/**
 * A small bonus engine: it pays each award once and reports the result. It uses none of Podium's code, only Kafka and a
 * database of its own, whose entries it never loses: what an engine without them does first is in ../bonus-engine.md.
 *
 * `npm start` prints the command that runs it beside the local stack.
 */
import { Consumer, EachMessagePayload, Kafka, Partitioners, Producer, logLevel } from 'kafkajs';
import { Pool, PoolClient } from 'pg';

/** The parts of an award's record that this consumer reads; the whole is in libs/messages/schemas. */
interface AwardRecord {
  type: 'engagement.bonus-award.issued' | 'engagement.bonus-award.reversed';
  key: string;
  data: {
    award_id: string;
    seq: number;
    user_id: string;
    reward: { type: string; amount: string; currency?: string; item?: string };
  };
}

/** Where to read awards, publish results and store what was paid. */
export interface BonusEngineOptions {
  brokers: string[];
  pool: Pool;
  groupId: string;
  awardsTopic?: string;
  resultsTopic?: string;
  /** Gets a line for each award that is paid, taken back, rejected or repeated; the console by default. */
  print?: (line: string) => void;
}

/**
 * A pool that opens new connections after Postgres has closed some, as in a restart. An error of a connection ends the process
 * when nothing listens: the pool reports it for an idle one, the connection itself also for one in use.
 */
export function openPool(connectionString: string, print: (line: string) => void = console.log): Pool {
  const pool = new Pool({ connectionString });
  pool.on('connect', (client) => {
    client.on('error', (error) => print(`A connection to Postgres broke: ${error.message}`));
  });
  pool.on('error', () => undefined);
  return pool;
}

/** Reads awards, pays each (award_id, seq) once, and answers. */
export class BonusEngine {
  private readonly consumer: Consumer;
  private readonly producer: Producer;
  private readonly awardsTopic: string;
  private readonly resultsTopic: string;
  private readonly print: (line: string) => void;

  constructor(private readonly options: BonusEngineOptions) {
    const kafka = new Kafka({ clientId: 'bonus-engine', brokers: options.brokers, logLevel: logLevel.WARN });
    this.consumer = kafka.consumer({ groupId: options.groupId, maxWaitTimeInMs: 100 });
    this.producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    this.awardsTopic = options.awardsTopic ?? 'engagement.bonus-awards.v1';
    this.resultsTopic = options.resultsTopic ?? 'bonus.award-results.v1';
    this.print = options.print ?? console.log;
  }

  async start(): Promise<void> {
    await this.options.pool.query(`
      CREATE TABLE IF NOT EXISTS handled_entries (
        award_id text NOT NULL,
        seq integer NOT NULL,
        result text NOT NULL,
        reason text,
        PRIMARY KEY (award_id, seq));
      CREATE TABLE IF NOT EXISTS balances (
        user_id text NOT NULL,
        unit text NOT NULL,
        amount numeric NOT NULL,
        PRIMARY KEY (user_id, unit))`);
    await this.producer.connect();
    await this.consumer.connect();
    // From the beginning: the topic keeps every award, so the first engine starts with a complete ledger.
    await this.consumer.subscribe({ topic: this.awardsTopic, fromBeginning: true });
    // An error ends here without a commit, and the record is delivered again.
    await this.consumer.run({ eachMessage: (payload) => this.handle(payload) });
    this.print(`Waiting for awards on ${this.awardsTopic}; Ctrl-C ends.`);
  }

  async stop(): Promise<void> {
    await this.consumer.disconnect();
    await this.producer.disconnect();
  }

  private async handle({ message }: EachMessagePayload): Promise<void> {
    if (message.value === null) return;
    const award = JSON.parse(message.value.toString()) as AwardRecord;
    // A type that is not known yet is not about money that this version could move.
    if (award.type !== 'engagement.bonus-award.issued' && award.type !== 'engagement.bonus-award.reversed') return;
    const answer = await this.payOnce(award);
    // Also for a repeat: the answer may not have left before a crash, and a repeated answer changes nothing.
    await this.producer.send({
      topic: this.resultsTopic,
      acks: -1,
      messages: [{ key: message.key, value: JSON.stringify(answerRecord(award, answer)) }],
    });
    this.print(lineOf(award, answer));
  }

  /** The entry and the payment are one transaction, so that a crash leaves both or none. */
  private async payOnce(award: AwardRecord): Promise<Answer> {
    const { award_id, seq } = award.data;
    const client = await this.options.pool.connect();
    try {
      await client.query('BEGIN');
      const decision = decide(award, await lastResult(client, award));
      const { rowCount } = await client.query(
        `INSERT INTO handled_entries (award_id, seq, result, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [award_id, seq, decision.result, decision.reason],
      );
      if (rowCount === 1 && decision.isMoved) await move(client, award);
      await client.query('COMMIT');
      const { rows } = await client.query<Decision>(
        `SELECT result, reason FROM handled_entries WHERE award_id = $1 AND seq = $2`,
        [award_id, seq],
      );
      return { ...rows[0], isMoved: decision.isMoved, isRepeat: rowCount === 0 };
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }
}

/** What became of an entry: it was paid or taken back, or why not. */
interface Decision {
  result: 'confirmed' | 'rejected';
  reason: string | null;
}

/** The answer to an entry, and whether money moves for it. */
type Answer = Decision & { isMoved: boolean; isRepeat: boolean };

/** The result of the newest handled entry before this one: issues and reversals of an award take turns. */
async function lastResult(client: PoolClient, { data }: AwardRecord): Promise<Decision['result'] | null> {
  const { rows } = await client.query<Pick<Decision, 'result'>>(
    `SELECT result FROM handled_entries WHERE award_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT 1`,
    [data.award_id, data.seq],
  );
  return rows.length === 0 ? null : rows[0].result;
}

/**
 * This engine pays amounts; items are for another. What it rejected was not paid, so that there is nothing to take back. It
 * takes everything else back: an engine that can refuse that rejects an issue after a reversal that it rejected.
 */
function decide({ type, data: { reward } }: AwardRecord, before: Decision['result'] | null): Omit<Answer, 'isRepeat'> {
  if (type === 'engagement.bonus-award.reversed')
    return { result: 'confirmed', reason: null, isMoved: before !== 'rejected' };
  if (reward.item !== undefined) return { result: 'rejected', reason: 'items are not paid here', isMoved: false };
  return { result: 'confirmed', reason: null, isMoved: true };
}

/** Amounts are exact decimals: they stay text until Postgres' numeric takes them. */
async function move(client: PoolClient, { type, data }: AwardRecord): Promise<void> {
  const sign = type === 'engagement.bonus-award.issued' ? '' : '-';
  await client.query(
    `INSERT INTO balances AS known (user_id, unit, amount) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, unit) DO UPDATE SET amount = known.amount + excluded.amount`,
    [data.user_id, data.reward.currency ?? data.reward.type, `${sign}${data.reward.amount}`],
  );
}

function answerRecord(award: AwardRecord, answer: Decision): unknown {
  const { award_id, seq } = award.data;
  return {
    id: `answer-${award_id}-${seq}`,
    type: 'bonus.award.answered',
    schema_version: 1,
    revision: 0,
    occurred_at: Date.now(),
    key: award.key,
    source: 'bonus-engine',
    data: { award_id, seq, result: answer.result, ...(answer.reason === null ? {} : { reason: answer.reason }) },
  };
}

/** What happened to an award, for a person who watches. */
function lineOf({ type, data }: AwardRecord, { result, reason, isMoved, isRepeat }: Answer): string {
  const { award_id, seq, user_id, reward } = data;
  const what = reward.item ?? `${reward.amount} ${reward.currency ?? reward.type}`;
  const entry = `award ${award_id}, entry ${seq}`;
  if (isRepeat) return `Already handled (${result}), answered again: ${what} for ${user_id} (${entry})`;
  if (result === 'rejected') return `Rejected: ${what} for ${user_id}, ${String(reason)} (${entry})`;
  if (!isMoved) return `Nothing to take back: ${what} of ${user_id} (${entry})`;
  return `${type === 'engagement.bonus-award.issued' ? 'Paid' : 'Took back'} ${what}: ${user_id} (${entry})`;
}

async function main(): Promise<void> {
  const { KAFKA_BROKERS, BONUS_DATABASE_URL } = process.env;
  if (!KAFKA_BROKERS || !BONUS_DATABASE_URL)
    throw new Error('Set KAFKA_BROKERS and BONUS_DATABASE_URL; npm start prints the whole command.');
  const pool = openPool(BONUS_DATABASE_URL);
  const engine = new BonusEngine({ brokers: KAFKA_BROKERS.split(','), pool, groupId: 'bonus-engine.example' });
  process.once('SIGTERM', () => void engine.stop().then(() => pool.end()));
  process.once('SIGINT', () => void engine.stop().then(() => pool.end()));
  await engine.start();
}

if (require.main === module) void main();
