import { BatchPassedData, TopicRow, batchPassed, encodeRecord, topics } from '@podium/messages';
import {
  Kafka,
  PassedBatches,
  RecordProducer,
  UndecodableBatch,
  passedBatchKey,
  redriveTopic,
  requireTopic,
} from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { quietLogger } from '../cli/server-connections';
import { UsageError } from '../cli/usage-error';
import { inspectBatch, requireRefused } from './find-undecodable';

/** The batch to pass, identified by the output of `batches show`. */
export interface PassRequest {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: bigint;
  /** The first digits of the digest, at least twelve. */
  readonly digest: string;
  /** Last offset of a batch that the broker cannot return; other batches have it in their header. */
  readonly lastOffset?: bigint;
  /** Confirms that its states were published again after it. */
  readonly publishedAgain: boolean;
}

/** The batch is not the one that was shown, or may not be passed yet; the message says what to do. */
export class BatchNotPassedError extends Error {}

/**
 * Lets all consumers skip one batch that they cannot decode: exactly the one with this offset and digest. Consumers that
 * can decode it still read it. Repeating it changes nothing.
 */
export async function passBatch(
  kafka: Kafka,
  rows: readonly TopicRow[],
  request: PassRequest,
): Promise<BatchPassedData> {
  requirePublishedAgain(rowOf(rows, request.topic), request);
  const { topic, partition, firstOffset } = request;
  const batch = await inspectBatch(kafka, { topic, partition, offset: firstOffset });
  const leave = leaveFor(request, batch);
  if (request.lastOffset !== undefined)
    await requireRefused(kafka, { topic, partition, firstOffset, lastOffset: request.lastOffset });
  const key = passedBatchKey(request, firstOffset);
  const producer = new RecordProducer(kafka, {
    logger: quietLogger,
    registry: new Registry(),
    topics: [topics.passedBatches],
  });
  try {
    await requireTopic(kafka, topics.passedBatches.name);
    await producer.start();
    const record = { id: `${key}:${leave.digest}`, revision: 0, occurred_at: Date.now(), key, source: 'operators' };
    const value = encodeRecord(batchPassed, { ...record, data: leave });
    await producer.send({ topic: topics.passedBatches, key, value }, { deadlineMs: Date.now() + 30_000 });
    return leave;
  } finally {
    await producer.stop();
  }
}

/** Which of these batches may be passed already, in their order. */
export async function arePassed(
  kafka: Kafka,
  batches: readonly { topic: string; partition: number; batch: UndecodableBatch }[],
): Promise<boolean[]> {
  if (batches.length === 0) return [];
  const passed = new PassedBatches(kafka, 'operator', quietLogger);
  try {
    await passed.start();
    return batches.map(({ batch, ...place }) => passed.leaveFor(place, batch) !== undefined);
  } finally {
    await passed.stop();
  }
}

/** The row of a topic that groups read, or of its redrive topic; throws `UsageError` for others. */
export function rowOf(rows: readonly TopicRow[], topic: string): TopicRow {
  const row = rows.find(
    (each) => each.name === topic || each.consumers.some((group) => redriveTopic(group, each).name === topic),
  );
  if (!row) throw new UsageError(`No group reads ${topic}; there are ${rows.map(({ name }) => name).join(', ')}.`);
  return row;
}

/** Passed states of a compacted topic would be missing in every view, and their keys are unknown. */
function requirePublishedAgain({ name, retention, owner }: TopicRow, { topic, publishedAgain }: PassRequest): void {
  if (topic !== name || retention.kind !== 'compact' || publishedAgain) return;
  const how = owner === 'linkage' ? 'npm run podium -- republish --help' : `its owner, ${owner}, publishes them`;
  throw new BatchNotPassedError(
    `${topic} holds states, and this batch may hold the newest state of any key: have all states published again first (${how}), ` +
      'then add --published-again.',
  );
}

function leaveFor(request: PassRequest, batch: UndecodableBatch | undefined): BatchPassedData {
  const { topic, partition, firstOffset } = request;
  const place = `${topic} ${partition}:${firstOffset}`;
  if (!batch)
    throw new BatchNotPassedError(
      `${place} can be decoded by this version, so it need not be passed. A service that is paused there needs this version.`,
    );
  if (batch.firstOffset !== firstOffset)
    throw new BatchNotPassedError(
      `The batch with this offset begins at ${batch.firstOffset}: see batches show ${place}.`,
    );
  if (!batch.digest.startsWith(request.digest))
    throw new BatchNotPassedError(`The batch at ${place} has another digest: see batches show ${place}.`);
  return {
    topic,
    partition,
    first_offset: Number(firstOffset),
    last_offset: Number(lastOffsetOf(request, batch)),
    digest: batch.digest,
    reason: `${batch.reason}: ${batch.detail}`,
  };
}

function lastOffsetOf({ lastOffset }: PassRequest, batch: UndecodableBatch): bigint {
  if (batch.reason !== 'refused_by_broker') {
    if (lastOffset === undefined) return batch.lastOffset;
    throw new UsageError(
      `--to is only for batches that the broker cannot return; this batch ends at ${batch.lastOffset}.`,
    );
  }
  if (lastOffset !== undefined && lastOffset >= batch.firstOffset) return lastOffset;
  throw new UsageError(
    'The broker cannot return this batch, so its end is unknown: give the last offset to pass with --to.',
  );
}
