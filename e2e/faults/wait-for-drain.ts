import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, deadLetterTopicName, topics } from '@podium/messages';
import { withClient } from '../../tools/stack/with-client';
import { endsOf, stockClient } from '../support/read-topic';

/** The topics that services of the stack consume with a shared group. */
const consumed = Object.values<TopicRow>(topics).flatMap((row) => row.consumers.map((group) => ({ row, group })));

/** Names of all dead-letter topics. */
export const deadLetterTopics = consumed.map(({ row, group }) => deadLetterTopicName(group, row));

/** The servers that hold the remaining work. */
interface Addresses {
  readonly database_url: string;
  readonly kafka_brokers: string;
}

/** A part of the remaining work, such as the lag of a partition. */
export interface RemainingWork {
  /** Which part it is. */
  readonly part: string;
  /** How far the part is: a value that only its own progress changes. */
  readonly at: string;
  /** Both in words. */
  readonly text: string;
}

/** Waits until all outboxes are empty and all lags are 0 (V10). Returns the time in ms; rejects as `waitUntilDone` does. */
export function waitForDrain(addresses: Addresses, mostMs: number, stillMs = mostMs): Promise<number> {
  return waitUntilDone(() => remainingWork(addresses), { mostMs, stillMs });
}

/**
 * Waits until no work remains. Rejects with what is left when a part of it has not moved for `stillMs`, or when it takes longer
 * than `mostMs`, even while it moves.
 */
export async function waitUntilDone(
  ask: () => Promise<readonly RemainingWork[]>,
  { mostMs, stillMs, pauseMs = 250 }: { mostMs: number; stillMs: number; pauseMs?: number },
): Promise<number> {
  const startedMs = performance.now();
  let places: ReadonlyMap<string, Place> = new Map();
  for (;;) {
    const answer = await ask().catch((error: Error) => error);
    const isKnown = !(answer instanceof Error);
    const left = isKnown ? answer : [{ part: 'the answer', at: '', text: answer.message }];
    if (left.length === 0) return performance.now() - startedMs;
    const nowMs = performance.now();
    const found = left.map(({ part, at }): [string, Place] => {
      const place = places.get(part);
      return [part, place?.at === at ? place : { at, sinceMs: nowMs }];
    });
    // Without an answer the parts may be where they were.
    places = new Map([...(isKnown ? [] : places), ...found]);
    const stuck = left.filter(({ part }) => nowMs - places.get(part)!.sinceMs > stillMs);
    if (stuck.length > 0)
      throw new Error(`did not move for ${stillMs / 1000} s: ${textOf(stuck)}; left: ${textOf(left)}`);
    if (nowMs - startedMs > mostMs) throw new Error(`not done after ${mostMs / 1000} s: ${textOf(left)}`);
    await sleep(pauseMs);
  }
}

/** Where a part of the work is, and since when. */
interface Place {
  readonly at: string;
  readonly sinceMs: number;
}

function textOf(parts: readonly RemainingWork[]): string {
  return parts.map(({ text }) => text).join('; ');
}

async function remainingWork(addresses: Addresses): Promise<RemainingWork[]> {
  return [...(await waitingRows(addresses.database_url)), ...(await laggingPartitions(addresses.kafka_brokers))];
}

async function waitingRows(databaseUrl: string): Promise<RemainingWork[]> {
  return withClient(databaseUrl, async (client) => {
    const found: RemainingWork[] = [];
    for (const schema of ['linkage', 'engagement']) {
      // While the oldest is published, younger ones may come of events that are still applied.
      const { rows } = await client.query<{ count: string; oldest: string }>(
        `SELECT count(*), min(id) AS oldest FROM ${schema}.outbox`,
      );
      const [{ count, oldest }] = rows;
      const text = `${count} rows in the outbox of ${schema}, the oldest with id ${oldest}`;
      if (count !== '0') found.push({ part: `outbox of ${schema}`, at: oldest, text });
    }
    // Events that the release before has applied enter the histories in the background.
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM engagement.events WHERE NOT in_history',
    );
    const [{ count }] = rows;
    const text = `${count} events that are not in the histories`;
    if (count !== '0') found.push({ part: 'histories', at: count, text });
    return found;
  });
}

/** The groups that have not committed up to the ends of these topics; all that are consumed by default. */
export async function laggingGroups(brokers: string, names?: readonly string[]): Promise<string[]> {
  return (await laggingPartitions(brokers, names)).map(({ text }) => text);
}

async function laggingPartitions(
  brokers: string,
  names: readonly string[] = [...new Set(consumed.map(({ row }) => row.name))],
): Promise<RemainingWork[]> {
  const ends = await endsOf(brokers, names);
  const admin = stockClient(brokers).admin();
  await admin.connect();
  try {
    const lagging: RemainingWork[] = [];
    for (const { row, group } of consumed.filter((each) => names.includes(each.row.name))) {
      const [{ partitions }] = await admin.fetchOffsets({ groupId: group, topics: [row.name] });
      for (const { topic, partition, nextOffset, records } of ends) {
        if (topic !== row.name || records === 0) continue;
        const committed = Number(partitions.find((candidate) => candidate.partition === partition)?.offset ?? -1);
        const part = `${topic}[${partition}]`;
        const text = `${group} at ${committed} of ${nextOffset} in ${part}`;
        if (committed < nextOffset) lagging.push({ part: `${group} in ${part}`, at: `${committed}`, text });
      }
    }
    return lagging;
  } finally {
    await admin.disconnect();
  }
}
