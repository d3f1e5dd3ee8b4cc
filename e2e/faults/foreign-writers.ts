import { randomUUID } from 'node:crypto';
import { TopicRow, changeDefinitionOf, competitionKey, encodeRecord, recordKey, topics } from '@podium/messages';
import { CompressionTypes, Message } from 'kafkajs';
import { withClient } from '../../tools/stack/with-client';
import { stockClient } from '../support/read-topic';
import { ForeignCodec, registerCodecs } from './foreign-codecs';
import { FaultServers } from './fault-servers';
import { keepAsking } from './keep-asking';
import { Violation } from './violation';

/** One written batch: answers to awards by `award_id seq`, and documents by id. */
export interface ForeignWriting {
  readonly answers: readonly string[];
  readonly documents: readonly string[];
}

/** An invalid record and the group that must write it to its dead-letter topic. */
interface DeadRecord {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

const answersAtOnce = 60;
const documentsAtOnce = 40;
const wellBelowTheLimitBytes = 1_000_000;
const inflatedBytes = 4_000_000;
/** Longer than any fault of Postgres lasts, a failover included. */
const postgresAwayMs = 120_000;

/** Producers of other teams with their own clients: a bonus engine and the competition system. */
export class ForeignWriters {
  private readonly writings: ForeignWriting[] = [];
  private readonly deadRecords: DeadRecord[] = [];

  constructor(private readonly servers: FaultServers) {}

  /** Answers unanswered awards and publishes organizers, in batches of a codec. */
  async write(codec: ForeignCodec): Promise<ForeignWriting> {
    const awards = await this.query<{ award_id: string; seq: number; platform: string; user_id: string }>(
      `SELECT award_id, seq, platform, user_id FROM engagement.awards JOIN engagement.ledger_entries entry USING (award_id)
       WHERE kind = 'issued' AND NOT EXISTS
         (SELECT FROM engagement.ledger_entries answer WHERE answer.award_id = entry.award_id AND answers_seq = entry.seq)
       ORDER BY number LIMIT ${answersAtOnce}`,
    );
    const answers = awards.map(({ award_id, seq, platform, user_id }) =>
      answerOf(award_id, seq, recordKey(platform, user_id)),
    );
    await this.produce(topics.awardResults, answers, codec);
    const writing = { answers: awards.map(({ award_id, seq }) => `${award_id} ${seq}`), documents: [] };
    this.writings.push(writing);
    return { ...writing, documents: await this.writeDocuments(codec) };
  }

  /** Publishes organizers in a batch of a codec; returns their ids. */
  async writeDocuments(codec: ForeignCodec): Promise<readonly string[]> {
    const documents = Array.from({ length: documentsAtOnce }, () => `foreign-${randomUUID()}`);
    await this.produce(topics.competitionChanges, documents.map(organizerOf), codec);
    this.writings.push({ answers: [], documents });
    return documents;
  }

  /**
   * Writes two invalid records to each topic: one of nearly the maximum size, and one that decompresses to four times that. They
   * answer an unknown award or name no document. Returns a check that the groups have committed past them.
   */
  async writeOversized(): Promise<() => Promise<boolean>> {
    const written: DeadRecord[] = [];
    for (const [codec, bytes] of [
      ['none', wellBelowTheLimitBytes],
      ['gzip', inflatedBytes],
    ] as const)
      for (const [row, record] of [
        [topics.awardResults, answerOf(randomUUID(), 1, `nobody:${randomUUID()}`, 'x'.repeat(bytes))],
        [
          topics.competitionChanges,
          { key: competitionKey('organizer', randomUUID()), value: `{"x":"${'x'.repeat(bytes)}"}` },
        ],
      ] as const) {
        const places = await this.produce(row, [record], codec);
        written.push(...places.map((place) => ({ group: row.consumers[0], topic: row.name, ...place })));
      }
    this.deadRecords.push(...written);
    return () => this.arePassed(written);
  }

  /** Whether the ledger has all answers, and the tables all documents. */
  async areApplied({ answers, documents }: ForeignWriting): Promise<boolean> {
    const missing = await this.missing(answers, documents);
    return missing.answers.length + missing.documents.length === 0;
  }

  /** Positions of the records that must be dead letters, as `topic[partition]@offset`. */
  get deadLetters(): ReadonlySet<string> {
    return new Set(this.deadRecords.map(({ topic, partition, offset }) => `${topic}[${partition}]@${offset}`));
  }

  /** Finds written records without effect; `deadLetters` are the positions of the dead letters that were found. */
  async findViolations(deadLetters: readonly string[]): Promise<Violation[]> {
    const found = new Set(deadLetters);
    const { answers, documents } = await this.missing(
      this.writings.flatMap((writing) => writing.answers),
      this.writings.flatMap((writing) => writing.documents),
    );
    const violations: Violation[] = [
      { invariant: 'V1', sentence: 'an answer of the bonus engine is not in the ledger', ids: answers, loss: 'lost' },
      {
        invariant: 'V1',
        sentence: 'a published competition document is not in the tables',
        ids: documents,
        loss: 'lost',
      },
      {
        invariant: 'V1',
        sentence: 'an oversized record is not in the dead letters',
        ids: [...this.deadLetters].filter((place) => !found.has(place)),
        loss: 'lost',
      },
    ];
    return violations.filter(({ ids }) => ids.length > 0);
  }

  private async missing(
    answers: readonly string[],
    documents: readonly string[],
  ): Promise<{ answers: string[]; documents: string[] }> {
    const entered = await this.query<{ answer: string }>(
      `SELECT award_id || ' ' || answers_seq AS answer FROM engagement.ledger_entries WHERE kind = 'confirmed'`,
    );
    const [{ live }] = await this.query<{ live: 'a' | 'b' }>('SELECT live FROM competition_read.live_set');
    const stored = await this.query<{ id: string }>(
      `SELECT id FROM competition_read.documents_${live} WHERE kind = 'organizer' AND body IS NOT NULL`,
    );
    const has = { answers: new Set(entered.map((row) => row.answer)), documents: new Set(stored.map(({ id }) => id)) };
    return {
      answers: answers.filter((answer) => !has.answers.has(answer)),
      documents: documents.filter((id) => !has.documents.has(id)),
    };
  }

  private async produce(
    { name }: TopicRow,
    messages: readonly Message[],
    codec: ForeignCodec,
  ): Promise<{ partition: number; offset: bigint }[]> {
    registerCodecs();
    const producer = stockClient(this.servers.kafka.addresses).producer();
    await producer.connect();
    try {
      const compression = compressionOf[codec];
      const sent = await producer.send({ topic: name, messages: [...messages], acks: -1, compression });
      return sent.map(({ partition, baseOffset }) => ({ partition, offset: BigInt(baseOffset ?? -1) }));
    } finally {
      await producer.disconnect();
    }
  }

  private async arePassed(records: readonly DeadRecord[]): Promise<boolean> {
    const admin = stockClient(this.servers.kafka.addresses).admin();
    await admin.connect();
    try {
      for (const { group, topic, partition, offset } of records) {
        const [{ partitions }] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
        const committed = partitions.find((each) => each.partition === partition)?.offset ?? '-1';
        if (BigInt(committed) <= offset) return false;
      }
      return true;
    } finally {
      await admin.disconnect();
    }
  }

  /** Other teams do not read these tables: how long Postgres is away beside a fault of it says nothing about them. */
  private query<Row extends object>(sql: string): Promise<Row[]> {
    const bounds = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };
    return keepAsking('a query beside faults', postgresAwayMs, () =>
      withClient(this.servers.postgres.url, async (client) => (await client.query<Row>(sql)).rows, bounds),
    );
  }
}

const compressionOf: Record<ForeignCodec, CompressionTypes> = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
};

/** Builds the JSON without Podium's encoder: other teams do not use it. */
function answerOf(awardId: string, seq: number, key: string, reason?: string): Message {
  const value = {
    id: `answer-${awardId}-${seq}`,
    type: 'bonus.award.answered',
    schema_version: 1,
    revision: 0,
    occurred_at: Date.now(),
    key,
    source: 'bonus-engine',
    data: { award_id: awardId, seq, result: 'confirmed', ...(reason && { reason }) },
  };
  return { key, value: JSON.stringify(value) };
}

function organizerOf(id: string): Message {
  const key = competitionKey('organizer', id);
  const document = {
    ...{ avatar: '', cover: '', description: '', platform_url: '', website: '' },
    ...{ facebook: '', twitch: '', twitter: '', vk: '', youtube: '' },
    ...{ followers_count: 0, name: `Organizer ${id}`, organizer_id: id, type: 'organization' },
  };
  const beside = { partner: false, active: true, regions: [], countries: [], games: [] };
  const envelope = { id: `organizer/${id}/1`, revision: 1, occurred_at: Date.now(), key, source: 'competition' };
  return { key, value: encodeRecord(changeDefinitionOf('organizer'), { ...envelope, data: { id, document, beside } }) };
}
