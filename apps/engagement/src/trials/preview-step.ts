import { createHash } from 'node:crypto';
import { Queryable } from '@podium/runtime/postgres';
import { momentOf } from '../evaluation/moment';
import { ComparisonReply } from '../explain/comparison.dto';
import { explainSegment } from '../explain/explain-segment';
import { comparisonReply } from '../explain/explanation-reply';
import { DefinitionSet, LiveDefinition } from '../progress/definition-set';
import { isCapped, readStoredGroups } from '../reports/user-sizes.queries';
import { readUserViews } from '../reports/user-views';
import { inTurns } from '../reports/users-at-once';
import { LockedUser } from '../users/users.store';
import { addToSample, readSample, sampleSize, writeReasons } from './sample.store';
import { compileTrial } from './compile-trial';
import { Trial } from './trial';
import { addCapped } from './trial-results.store';
import { keepUsers } from './trials.store';

/** Events and buckets of each comparison that a sample lists; their numbers are complete. */
const listedAtMost = 5;

/** The users that a step of a preview came to, and how many of them are members. */
export interface PreviewedUsers {
  readonly users: readonly LockedUser[];
  readonly members: number;
}

/**
 * Evaluates a segment as if it were in force, for users in the order of their rows. Users are listed and not evaluated where the
 * answer depends on stored events of which some may be missing.
 */
export async function previewUsers(
  tx: Queryable,
  trial: Trial,
  wanted: readonly LockedUser[],
): Promise<PreviewedUsers> {
  const { platform, trialId, asOf } = trial;
  const { segment, definitions } = await compiledSegment(tx, trial);
  const wantedRefs = wanted.map(({ userRef }) => userRef);
  const views = await readUserViews(tx, { platform, userRefs: wantedRefs, names: segment.names, definitions });
  const users = wanted.slice(0, views.size);
  // A history that is complete does not depend on what is stored: none of it was read.
  const dependsOnStored = (userRef: number, name: string): boolean => views.get(userRef)!.stored.get(name)!.length > 0;
  const dependent = [...views.keys()].filter((userRef) =>
    [...segment.names].some((name) => dependsOnStored(userRef, name)),
  );
  const groups = await readStoredGroups(tx, dependent, segment.names);
  const capped = groups.filter((group) => isCapped(group) && dependsOnStored(group.userRef, group.name));
  const cappedRefs = new Set(capped.map(({ userRef }) => userRef));
  const complete = users.filter(({ userRef }) => !cappedRefs.has(userRef));
  const isMember = await inTurns(complete, ({ userRef }) => {
    const { view } = views.get(userRef)!;
    return view.isLinkedAt(asOf) && segment.holds(momentOf(view, asOf));
  });
  const members = complete.filter((_user, index) => isMember[index]);
  await keepUsers(tx, users);
  await addCapped(tx, trialId, capped);
  await addToSample(tx, trialId, lowestRanks(trialId, members));
  return { users, members: members.length };
}

/** Adds to the sample of a preview, for each member, the comparisons of the condition with the events that count. */
export async function explainSample(tx: Queryable, trial: Trial): Promise<void> {
  const compiled = await compiledSegment(tx, trial);
  const members = (await readSample(tx, trial.trialId)).map(({ userRef }) => userRef);
  for (let done = 0; done < members.length;) done += await explainFirst(tx, trial, compiled, members.slice(done));
}

/** Explains the first members whose events fit into memory together; returns how many they are. */
async function explainFirst(
  tx: Queryable,
  { platform, trialId, asOf: atS }: Trial,
  { segment, definitions }: CompiledPreview,
  userRefs: readonly number[],
): Promise<number> {
  const segments = new Map(
    [...definitions.byId].flatMap(([id, live]) => (live.kind === 'segment' ? [[id, live] as const] : [])),
  );
  const views = await readUserViews(tx, { platform, userRefs, names: segment.names, definitions }, true);
  const reasons = await inTurns([...views], ([userRef, { view, stored }]) => ({
    userRef,
    comparisons: explainSegment(segment, { view, stored, atS, segments }).comparisons.map((comparison) =>
      shortened(comparisonReply(comparison)),
    ),
  }));
  await writeReasons(tx, trialId, reasons);
  return views.size;
}

interface CompiledPreview {
  readonly segment: Extract<LiveDefinition, { kind: 'segment' }>;
  readonly definitions: DefinitionSet;
}

async function compiledSegment(tx: Queryable, trial: Trial): Promise<CompiledPreview> {
  const { draft } = trial.subject;
  const definitions = await compileTrial(tx, trial, draft);
  const segment = definitions.byId.get(draft.definitionId);
  if (segment?.kind !== 'segment') throw new TypeError('a preview is of a segment');
  return { segment, definitions };
}

/** By a digest, so that the sample is the same after a restart, and does not prefer old users. */
function lowestRanks(trialId: string, members: readonly LockedUser[]): { userRef: number; rank: string }[] {
  return members
    .map(({ userRef }) => ({
      userRef,
      rank: createHash('sha256').update(`${trialId} ${userRef}`).digest('hex').slice(0, 16),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, sampleSize);
}

function shortened(reply: ComparisonReply): ComparisonReply {
  return {
    ...reply,
    counted: reply.counted.slice(0, listedAtMost),
    not_counted: reply.not_counted.slice(0, listedAtMost),
    buckets: reply.buckets.slice(0, listedAtMost),
  };
}
