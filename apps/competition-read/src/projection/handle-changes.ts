import { topics } from '@podium/messages';
import { BatchPlace, batchError, placeOf } from '@podium/runtime/consumers';
import { DataError, type Outcome, type RecordBatch, dead, done, skip } from '@podium/runtime/kafka';
import { DocumentChange, readRecord } from './read-change';
import type { ChangeOutcome } from './stale-changes';

/** A batch of records of one partition of the topic. */
export type ChangesBatch = RecordBatch<(typeof topics.competitionChanges)['events'][number]>;

/** Changes of one partition in the order of the topic, with their place in it. */
export interface PlacedChanges extends BatchPlace {
  readonly changes: readonly DocumentChange[];
}

/** Applies changes and moves the position in one transaction; rejects if Postgres refuses the data or is unavailable. */
export type ApplyPlaced = (batch: PlacedChanges) => Promise<readonly ChangeOutcome[]>;

/**
 * Passes the changes of a batch to `apply` and returns the outcome of each record. An invalid record is written to the dead
 * letters before the position moves past it. Data that Postgres refuses is found by halving the batch.
 */
export async function handleChanges(batch: ChangesBatch, apply: ApplyPlaced): Promise<Outcome[]> {
  const read = batch.records.map(({ key, record }) => readRecord(key, record));
  await Promise.all(
    read.map((result, index) => (result.ok ? undefined : batch.deadLetter(batch.records[index], result.reason))),
  );
  const changes = read.flatMap((result) => (result.ok ? [result.change] : []));
  const place = placeOf(batch);
  try {
    const outcomes = (await apply({ ...place, changes })).values();
    return read.map((result) => (result.ok ? outcomeOf(outcomes.next().value!) : dead(result.reason)));
  } catch (error) {
    const failure = batchError(error);
    if (!(failure instanceof DataError) || batch.records.length !== 1) throw failure;
    await batch.deadLetter(batch.records[0], failure.message);
    await apply({ ...place, changes: [] }).catch((again: unknown) => {
      throw batchError(again);
    });
    return [dead(failure.message)];
  }
}

function outcomeOf(outcome: ChangeOutcome): Outcome {
  return outcome === 'applied' ? done : skip(outcome);
}
