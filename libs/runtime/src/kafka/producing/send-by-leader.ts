import { Logger } from 'pino';
import { errorMessage } from '../../errors';
import { noLeader } from '../partition-errors/known-leaders';
import { FencedClient } from './fenced-client';
import { RecordPlace, partitionName } from './pending-records';
import { PartitionRecord, outcomesOf, topicMessagesOf } from './produce-request';
import { PartitionFailedError, topicErrorOf } from './producer-errors';
import { UnresponsiveLeaders } from './unresponsive-leaders';

/** How records are sent. */
export interface SendByLeaderOptions {
  readonly client: Pick<FencedClient, 'producer' | 'leaders'>;
  readonly unresponsive: UnresponsiveLeaders;
  /** Rejects when nobody waits for the brokers any more. */
  readonly deadline: Promise<never>;
  /** How long a broker may wait for its replicas, milliseconds. */
  readonly ackTimeoutMs: number;
  readonly logger: Logger;
}

/**
 * Sends records to the leader of each partition, all at the same time, and resolves with the result of each record. kafkajs
 * does the same for one call, and rejects it when one leader cannot be reached; so each leader has a call of its own. Rejects
 * when no leader has responded.
 */
export async function sendByLeader(
  batch: readonly PartitionRecord[],
  options: SendByLeaderOptions,
): Promise<(RecordPlace | PartitionFailedError)[]> {
  const { client, deadline } = options;
  const leaders = await Promise.race([client.leaders(batch.map(({ topic }) => topic)), deadline]);
  const parts = new Map<number, PartitionRecord[]>();
  for (const record of batch) {
    const leader = leaders.get(record.topic)?.[record.partition] ?? noLeader;
    const part = parts.get(leader);
    if (part) part.push(record);
    else parts.set(leader, [record]);
  }
  const found = new Map<PartitionRecord, RecordPlace | PartitionFailedError>();
  const failures: unknown[] = [];
  const note = (part: readonly PartitionRecord[], outcomes: readonly (RecordPlace | PartitionFailedError)[]): void =>
    part.forEach((record, index) => found.set(record, outcomes[index]));
  await Promise.all(
    [...parts].map(async ([leader, part]) => {
      try {
        note(part, await outcomesAt(leader, part, options));
      } catch (error) {
        failures.push(error);
        note(part, failed(part, topicErrorOf(error) ?? 'NO_RESPONSE'));
      }
    }),
  );
  if (failures.length > 0 && failures.length === parts.size) throw failures[0];
  return batch.map((record) => found.get(record)!);
}

/** The results of one leader; rejects when it does not respond. */
async function outcomesAt(
  leader: number,
  part: readonly PartitionRecord[],
  { client, unresponsive, deadline, ackTimeoutMs, logger }: SendByLeaderOptions,
): Promise<(RecordPlace | PartitionFailedError)[]> {
  if (leader === noLeader) return failed(part, 'NO_LEADER', false);
  if (unresponsive.isPaused(leader)) return failed(part, 'NO_RESPONSE', false);
  const startedAt = performance.now();
  try {
    const request = { acks: -1, timeout: ackTimeoutMs, topicMessages: topicMessagesOf(part) };
    const reply = await Promise.race([client.producer.sendBatch(request), deadline]);
    unresponsive.responded(leader);
    return outcomesOf(part, reply);
  } catch (error) {
    if (topicErrorOf(error) === undefined) unresponsive.failed(leader, performance.now() - startedAt);
    logger.warn({ broker: leader, records: part.length, cause: errorMessage(error) }, 'a leader has not responded');
    throw error;
  }
}

function failed(part: readonly PartitionRecord[], type: string, isSent = true): PartitionFailedError[] {
  return part.map((record) => new PartitionFailedError(partitionName(record), type, isSent));
}
