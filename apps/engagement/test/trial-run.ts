import { createLog } from '@podium/runtime/log';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { randomUUID } from 'node:crypto';
import { continueTrial } from '../src/trials/run-trials';
import type { NewTrial, Trial, TrialSubject } from '../src/trials/trial';
import { readTrialAwards } from '../src/trials/trial-reports.queries';
import { findTrial, insertTrial } from '../src/trials/trials.store';
import type { AppliedTables } from './applied-tables';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });

/** Orders a trial over the tables, now. */
export async function orderTrial(tables: AppliedTables, subject: TrialSubject): Promise<NewTrial> {
  const { draft } = subject;
  const dates =
    subject.kind === 'preview'
      ? null
      : { from: subject.draft.versions[0].body.starts_at!, to: subject.draft.versions[0].body.ends_at! };
  const trial: NewTrial = {
    ...{ trialId: randomUUID(), definitionId: draft.definitionId, version: 1, platform: draft.platform },
    ...{ subject, asOf: Math.floor(tables.clockMs / 1000), dates, orderedBy: 'operator-1' },
  };
  await inTransaction(tables.pool, (tx) => insertTrial(tx, trial, new Date(tables.clockMs)));
  return trial;
}

/** One step of whatever trial is at its turn, as an instance makes it. */
export function continueOne(tables: AppliedTables, limit = 100): Promise<number> {
  return continueTrial({ pool: tables.pool, now: () => tables.clockMs, logger }, limit);
}

/** Runs what is ordered to its end; returns the trial as it is then. */
export async function runTrial(tables: AppliedTables, { definitionId, trialId }: NewTrial): Promise<Trial> {
  while ((await continueOne(tables)) > 0);
  return (await findTrial(queryable(tables.pool), definitionId, trialId))!;
}

/** The awards of a dry run's draft. */
export async function trialAwards(tables: AppliedTables, { trialId }: NewTrial) {
  return readTrialAwards(queryable(tables.pool), { trialId, side: 'draft' }, null, 100_000);
}
