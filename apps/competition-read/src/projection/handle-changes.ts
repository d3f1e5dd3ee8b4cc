import { topics } from '@podium/messages';
import { DataError, type Outcome, type RecordBatch, dead, done, retryDependency, skip } from '@podium/runtime/kafka';
import { isDataError } from '@podium/runtime/postgres';
import type { ChangeOutcome } from './apply-changes';
import { DocumentChange, readRecord } from './read-change';

/** Changes of one partition as they come from the topic. */
export type ChangesBatch = RecordBatch<(typeof topics.competitionChanges)['events'][number]>;

/** A change with its place in its partition. */
export interface PlacedChange {
  readonly offset: bigint;
  readonly change: DocumentChange;
}

/** Changes of one partition in the order of the topic, with the offset after the last that the batch covers. */
export interface PlacedChanges {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: bigint;
  readonly changes: readonly PlacedChange[];
}

/** What became of a change; `passed` was there before by the position of the set. */
export type PlacedOutcome = ChangeOutcome | 'passed';

/** Applies changes and moves the position in one transaction; rejects on what Postgres refuses or on its absence. */
export type ApplyPlaced = (batch: PlacedChanges) => Promise<readonly PlacedOutcome[]>;

/**
 * Hands the changes of a batch to `apply` and says what became of each record. What can never be a change goes to the dead
 * letters before the position passes it; data that Postgres refuses is found by halving.
 */
export async function handleChanges(batch: ChangesBatch, apply: ApplyPlaced): Promise<Outcome[]> {
  const read = batch.records.map(({ key, record }) => readRecord(key, record));
  await Promise.all(
    read.map((result, index) => (result.ok ? undefined : batch.deadLetter(batch.records[index], result.reason))),
  );
  const changes = read.flatMap((result, index) =>
    result.ok ? [{ offset: batch.records[index].offset, change: result.change }] : [],
  );
  const place = { topic: batch.topic, partition: batch.partition, nextOffset: batch.lastOffset + 1n };
  try {
    const outcomes = (await apply({ ...place, changes })).values();
    return read.map((result) => (result.ok ? outcomeOf(outcomes.next().value as PlacedOutcome) : dead(result.reason)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isFaultOfData(error)) return batch.records.map(() => retryDependency(reason));
    if (batch.records.length !== 1) throw new DataError(reason, { cause: error });
    await batch.deadLetter(batch.records[0], reason);
    await apply({ ...place, changes: [] });
    return [dead(reason)];
  }
}

function outcomeOf(outcome: PlacedOutcome): Outcome {
  return outcome === 'applied' ? done : skip(outcome);
}

/** Refused by Postgres for its content, or by our own code for its shape. */
function isFaultOfData(error: unknown): boolean {
  return isDataError(error) || error instanceof RangeError || error instanceof TypeError || error instanceof URIError;
}
