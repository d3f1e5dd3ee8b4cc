import { TopicRow, segmentMembershipChanged } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { BegunReplay, beginReplay, partitionsToReplay } from '../../../engagement/src/operations/replay/begin-replay';
import { listReplays, readPositions } from '../../../engagement/src/operations/replay/replays.store';
import { addToldMemberships } from '../../../engagement/src/operations/restore/restore-views';
import { withTopicStates } from '../restore/topic-states';
import { quietLogger } from '../cli/server-connections';
import { UsageError } from '../cli/usage-error';
import { ComparedHistory, HistoryParts, readHistory } from './compare-history';

/** Input of a replay order. */
export interface ReplayParts extends HistoryParts {
  /** The topic of memberships, from which lost ones are restored. */
  readonly memberships?: TopicRow<typeof segmentMembershipChanged>;
  readonly orderedBy: string;
}

/** The replay would lose or skip events, or another one is running. */
export class ReplayRefusedError extends Error {}

/**
 * Orders the rebuild of all state that engagement derives from events; a dry run returns the plan with the number 0. Refuses
 * unless every applied event is still in the topic. Changes during this check are checked again under the lock.
 */
export async function orderRebuild(parts: ReplayParts, dryRun: boolean): Promise<BegunReplay> {
  const { pool, kafka, row, orderedBy, note } = parts;
  const unfinished = (await listReplays(queryable(pool), 20)).find(
    (each) => each.kind === 'rebuild' && !each.finishedAt,
  );
  if (unfinished)
    throw new ReplayRefusedError(
      `A rebuild has been running since ${unfinished.beganAt.toISOString()}, ${unfinished.remaining} records remain: replay list shows it.`,
    );
  const history = await readHistory(parts);
  requireWhole(history);
  const from = new Map(history.bounds.map(({ low }, partition) => [partition, low]));
  if (dryRun) return { replay: 0, partitions: partitionsToReplay(history.positions, from) };
  const broker = new GroupPositions(kafka, quietLogger);
  try {
    const begin = (tx: Queryable): Promise<BegunReplay> =>
      beginReplay(tx, { kind: 'rebuild', topic: row.name, orderedBy, from }, async () => {
        const bounds = await broker.bounds(row.name);
        if (bounds.some(({ low }, partition) => low !== from.get(partition)))
          throw new ReplayRefusedError('The topic has just lost its oldest records: nothing was changed, try again.');
      });
    const { memberships } = parts;
    if (!memberships) return await inTransaction(pool, begin);
    return await withTopicStates({ pool, kafka, by: orderedBy, note }, memberships, async (tx, { forEachPage }) => {
      const begun = await begin(tx);
      await forEachPage(async (page) => {
        await addToldMemberships(
          tx,
          page.flatMap(({ data }) => (data ? [data] : [])),
        );
      });
      return begun;
    });
  } finally {
    await broker.close();
  }
}

/** Where to re-read from: an offset for each given partition, or a time for all. */
export type RereadFrom = { readonly offsets: ReadonlyMap<number, bigint> } | { readonly timestampMs: number };

/**
 * Orders events to be re-read without deleting anything: events in the inbox have no effect. Refuses a later
 * position, which would skip events; starts at the oldest record when the topic does not reach back that far.
 */
export async function orderReread(parts: ReplayParts, where: RereadFrom, dryRun: boolean): Promise<BegunReplay> {
  const { pool, kafka, row, orderedBy } = parts;
  const broker = new GroupPositions(kafka, quietLogger);
  try {
    const bounds = await broker.bounds(row.name);
    const asked =
      'offsets' in where
        ? where.offsets
        : new Map(
            (await broker.offsetsAt(row.name, where.timestampMs)).map((offset, partition) => [partition, offset]),
          );
    const from = startsOf(asked, bounds, row.name);
    const check = async (positions: ReadonlyMap<number, bigint>): Promise<void> => {
      if (!('offsets' in where)) return;
      for (const [partition, offset] of from)
        if (offset > (positions.get(partition) ?? 0n))
          throw new ReplayRefusedError(
            `Partition ${partition} is at ${positions.get(partition) ?? 0}: reading from ${offset} would skip events.`,
          );
    };
    if (dryRun) {
      const positions = await readPositions(queryable(pool), row.name);
      await check(positions);
      return { replay: 0, partitions: partitionsToReplay(positions, from) };
    }
    return await inTransaction(pool, (tx) =>
      beginReplay(tx, { kind: 'reread', topic: row.name, orderedBy, from }, check),
    );
  } finally {
    await broker.close();
  }
}

/** Where each asked partition is read from: its oldest record when it does not reach back that far. */
export function startsOf(
  asked: ReadonlyMap<number, bigint>,
  bounds: readonly { readonly low: bigint }[],
  topic: string,
): Map<number, bigint> {
  return new Map(
    [...asked].map(([partition, offset]) => {
      const bound = bounds[partition] as { low: bigint } | undefined;
      if (!bound) throw new UsageError(`${topic} has no partition ${partition}; it has 0 to ${bounds.length - 1}.`);
      return [partition, offset < bound.low ? bound.low : offset];
    }),
  );
}

function requireWhole({ bounds, positions, onlyInInbox, inInbox }: ComparedHistory): void {
  if (onlyInInbox > 0)
    throw new ReplayRefusedError(
      `The topic does not reach back far enough: ${onlyInInbox} of ${inInbox} events that were applied are not in it, and a ` +
        'rebuild would lose them. Nothing was changed. Restore a backup instead, and re-read from there.',
    );
  for (const [partition, position] of positions)
    if (position > (bounds[partition]?.high ?? 0n))
      throw new ReplayRefusedError(
        `Partition ${partition} was read up to ${position} and ends at ${bounds[partition]?.high ?? 0}: the topic was re-created. Nothing was changed.`,
      );
}
