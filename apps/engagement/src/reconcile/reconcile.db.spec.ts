import { UserEventData, recordKey, userEventRecordId } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { OwnTopics, until } from '../../test/own-topics';
import { RunningConsumers } from '../../test/running-consumers';
import { migrations, schema } from '../migrations';
import { ReconcileMetrics } from './reconcile-metrics';
import { ReconcileParts, ReconcileService } from './reconcile.service';

const topics = new OwnTopics({ events: 4, links: 1 });
const { events: row } = topics;
const nowS = Math.floor(Date.now() / 1000);
const unavailable = expect.objectContaining({ code: 'unavailable', status: 503 }) as unknown;

describe('ReconcileService', () => {
  const kafka = new GroupPositions(topics.kafka, topics.logger);
  const consumers = new RunningConsumers(topics, () => database.url);
  let database: FreshDatabase;
  let pool: Pool;
  /** Ends what a test does beside its questions, also when the test fails. */
  let over = false;
  const isOver = (): boolean => over;
  const beside: Promise<unknown>[] = [];

  beforeAll(async () => {
    await topics.create();
    database = await freshDatabase({ schema, migrations });
    pool = consumers.newPool();
  });

  beforeEach(() => (over = false));
  afterEach(async () => {
    over = true;
    // They start instances, which would stay open in the process of the next specs.
    await Promise.allSettled(beside.splice(0));
    await consumers.stopAll();
  });

  afterAll(async () => {
    await kafka.close();
    await topics.remove();
    await pool.end();
    await database.drop();
  });

  it('returns exactly the 1,234 of 100,000 ids that were never accepted, with dead letters among them and while events arrive', async () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => `order:${at}`);
    const isMissing = (at: number): boolean => at % 81 === 7 && Math.floor(at / 81) < 1_234;
    const expected = ids.filter((_id, at) => isMissing(at));
    expect(expected).toHaveLength(1_234);
    const accepted = ids.filter((_id, at) => !isMissing(at));
    const [viaTopic, poison, undecodable] = [accepted.slice(0, 3_000), accepted[3_000], accepted[3_001]];
    await applyBefore('acme', accepted.slice(3_002));
    // Another partner's events with the same ids say nothing about these.
    await applyBefore('other', ids);
    await consumers.start();
    const more = arrivingEvents();
    await send(viaTopic);
    await topics.sendEvent(eventOf(poison, { note: 'a\0b' }));
    await sendUndecodable(undecodable);

    const missing: string[] = [];
    for (let at = 0; at < ids.length; at += 10_000)
      missing.push(...(await serviceOf({ waitMs: 20_000 }).missing('acme', ids.slice(at, at + 10_000))));
    await more.stop();

    expect(missing).toEqual(expected);
    expect(await serviceOf().missing('nobody', ids.slice(0, 10))).toEqual(ids.slice(0, 10));
  }, 120_000);

  it('returns an id once, in the order of the request', async () => {
    await consumers.start();
    expect(await serviceOf().missing('acme', ['b', 'a', 'b', 'a:', ':a'])).toEqual(['b', 'a', 'a:', ':a']);
  });

  it('waits for events that are on their way, and refuses when they are not applied in time', async () => {
    await send(['on-its-way']);
    await expect(serviceOf({ waitMs: 300 }).missing('acme', ['on-its-way'])).rejects.toEqual(unavailable);
    const answer = serviceOf({ waitMs: 20_000 }).missing('acme', ['on-its-way', 'never']);
    await consumers.start();
    expect(await answer).toEqual(['never']);
  });

  it('refuses while one partition is behind, also for ids of the others', async () => {
    const consumer = await consumers.start();
    await send(Array.from({ length: 40 }, (_, at) => `spread-${at}`));
    await serviceOf({ waitMs: 20_000 }).missing('acme', ['x']);
    await consumers.stop(consumer);
    await send(['one-more']);
    await expect(serviceOf({ waitMs: 200 }).missing('acme', ['spread-1'])).rejects.toEqual(unavailable);
    await consumers.start();
    expect(await serviceOf({ waitMs: 20_000 }).missing('acme', ['spread-1', 'one-more'])).toEqual([]);
  });

  it('refuses after a restore until the events are read again, and for good when the topic has lost them', async () => {
    const consumer = await consumers.start();
    const places = await send(Array.from({ length: 40 }, (_, at) => `restored-${at}`));
    const { partition } = places[0];
    const inPartition = places.filter((place) => place.partition === partition);
    await serviceOf({ waitMs: 20_000 }).missing('acme', ['x']);
    await consumers.stop(consumer);

    // The database is as it was before these events.
    await forget('restored-0');
    const restored = [row.name, partition, String(inPartition[0].offset)];
    await pool.query(`UPDATE engagement.positions SET next_offset = $3 WHERE topic = $1 AND partition = $2`, restored);
    await expect(serviceOf({ waitMs: 200 }).missing('acme', ['restored-0'])).rejects.toEqual(unavailable);
    const again = await consumers.start();
    expect(await serviceOf({ waitMs: 20_000 }).missing('acme', ['restored-0', 'never'])).toEqual(['never']);
    await consumers.stop(again);

    // Once more, but the topic does not reach back that far.
    await forget('restored-0');
    await pool.query(`UPDATE engagement.positions SET next_offset = $3 WHERE topic = $1 AND partition = $2`, restored);
    await expire(partition, inPartition[inPartition.length - 1].offset + 1n);
    await consumers.start();
    await expect(serviceOf({ waitMs: 200 }).missing('acme', ['restored-0'])).rejects.toEqual(unavailable);
    const { position } = await sendTo(partition);
    await until(async () => (await positionOf(partition)) > position, 'reading goes on behind the gap');
    await expect(serviceOf({ waitMs: 20_000 }).missing('acme', ['restored-0'])).rejects.toEqual(
      expect.objectContaining({ code: 'unavailable', retryAfterS: 300 }),
    );
    // Operators have told the partners to send again what they miss.
    await pool.query(`UPDATE engagement.reading_gaps SET closed_at = now(), closed_by = 'spec'`);
    expect(await serviceOf({ waitMs: 20_000 }).missing('acme', ['restored-0'])).toEqual(['restored-0']);
  });

  it('refuses without Kafka, with a partition of unknown end, with another topic and with too many at once', async () => {
    await consumers.start();
    await serviceOf({ waitMs: 20_000 }).missing('acme', ['x']);
    const never = new Promise<bigint[]>(() => undefined);
    const ends = await kafka.ends(row.name);
    for (const answer of [
      Promise.reject<bigint[]>(new Error('no broker')),
      never,
      Promise.resolve(ends.slice(1)),
      Promise.resolve(Object.assign(Array<bigint>(4), { 0: ends[0] })),
      Promise.resolve(ends.map((end) => (end > 0n ? end - 1n : end))),
    ]) {
      answer.catch(() => undefined);
      const service = serviceOf({ kafka: { ends: () => answer }, waitMs: 100 });
      await expect(service.missing('acme', ['x'])).rejects.toEqual(unavailable);
    }
    const service = serviceOf({ kafka: { ends: () => never }, waitMs: 200 });
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => service.missing('acme', ['x'])));
    const codes = asked.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code);
    expect(codes.filter((code) => code === 'overloaded')).toHaveLength(2);
  });

  it('says of each id the truth while instances die and others take over', async () => {
    const seed = Number(process.env.PODIUM_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const random = seeded(seed);
    const acknowledged = new Set<string>();
    let instance = await consumers.start();
    let sent = 0;
    let answered = 0;
    const sending = (async () => {
      while (!isOver()) {
        const ids = Array.from({ length: 1 + Math.floor(random() * 20) }, () => `s${seed}-${sent++}`);
        await Promise.all(ids.map((id) => send([id]).then(() => acknowledged.add(id))));
      }
    })();
    const failing = (async () => {
      for (let started = 1; !isOver(); started++) {
        await pause(random() * 500);
        // On a slow machine the others may all die before they have read what was sent before them.
        const answeredBefore = answered;
        while (started % 10 === 0 && answered === answeredBefore && !isOver()) await pause(20);
        await consumers.kill(instance);
        instance = await consumers.start();
      }
    })();
    beside.push(sending, failing);
    for (const endMs = Date.now() + 12_000; Date.now() < endMs || answered === 0; await pause(random() * 100)) {
      const before = new Set(acknowledged);
      const ids = Array.from({ length: sent + 50 }, (_, at) => `s${seed}-${at}`).slice(-2_000);
      const missing = await serviceOf()
        .missing('acme', ids)
        .catch((error: { code?: string }) => error);
      if (!Array.isArray(missing)) {
        expect([seed, missing.code]).toEqual([seed, 'unavailable']);
        continue;
      }
      answered += 1;
      expect([seed, missing.filter((id) => before.has(id))]).toEqual([seed, []]);
      const known = ids.filter((id) => !missing.includes(id));
      await until(async () => known.every((id) => acknowledged.has(id)), 'what is known was acknowledged', 15_000);
    }
    over = true;
    await Promise.all([sending, failing]);
  }, 120_000);

  function serviceOf(changes: Partial<ReconcileParts> = {}): ReconcileService {
    return new ReconcileService({ pool, kafka, topic: row, metrics: new ReconcileMetrics(new Registry()), ...changes });
  }

  /** Events that were applied before: their digests are in the inbox. */
  async function applyBefore(platform: string, ids: readonly string[]): Promise<void> {
    await pool.query(`INSERT INTO engagement.inbox (digest) SELECT unnest($1::uuid[])`, [
      ids.map((id) => userEventRecordId(platform, id)),
    ]);
  }

  /** Removes an applied event, as a database from before it. */
  async function forget(id: string): Promise<void> {
    await pool.query(`DELETE FROM engagement.inbox WHERE digest = $1`, [userEventRecordId('acme', id)]);
    await pool.query(`DELETE FROM engagement.events WHERE event_id = $1`, [id]);
  }

  function send(ids: readonly string[]): Promise<{ partition: number; offset: bigint }[]> {
    return Promise.all(ids.map((id) => topics.sendEvent(eventOf(id))));
  }

  /** An accepted event in the form of a later release. */
  async function sendUndecodable(id: string): Promise<void> {
    const data = { platform: 'acme', event: { id } };
    const value = Buffer.from(JSON.stringify({ type: 'ingestion.user-event.accepted', schema_version: 99, data }));
    await topics.producer.send({ topic: row, key: recordKey('acme', 'u'), value }, { deadlineMs: Date.now() + 10_000 });
  }

  /** Sends events until one is in the partition; returns its offset. */
  async function sendTo(partition: number): Promise<{ position: bigint }> {
    for (let at = 0; ; at++) {
      const [place] = await send([`to-${partition}-${at}`]);
      if (place.partition === partition) return { position: place.offset };
    }
  }

  async function expire(partition: number, offset: bigint): Promise<void> {
    const admin = topics.kafka.admin();
    await admin.connect();
    // Loads the metadata that the next call needs.
    await admin.fetchTopicOffsets(row.name);
    await admin.deleteTopicRecords({ topic: row.name, partitions: [{ partition, offset: String(offset) }] });
    await admin.disconnect();
  }

  async function positionOf(partition: number): Promise<bigint> {
    const { rows } = await pool.query<{ next_offset: string }>(
      `SELECT next_offset::text FROM engagement.positions WHERE topic = $1 AND partition = $2`,
      [row.name, partition],
    );
    return BigInt(rows[0]?.next_offset ?? -1);
  }

  /** About 500 events per second until they are stopped. */
  function arrivingEvents(): { stop(): Promise<void> } {
    let isStopped = false;
    const running = (async () => {
      for (let round = 0; !isStopped && !isOver(); round++) {
        await send(Array.from({ length: 25 }, (_, at) => `arriving-${round}-${at}`)).catch(() => undefined);
        await pause(50);
      }
    })();
    return {
      stop: () => {
        isStopped = true;
        return running;
      },
    };
  }
});

function eventOf(id: string, attributes: Record<string, string> = {}): UserEventData {
  return userEvent({
    id,
    createdAt: nowS,
    attributes,
    userId: `user-${id.length % 7}-${id.charCodeAt(id.length - 1)}`,
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A generator of random numbers that a seed repeats (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
