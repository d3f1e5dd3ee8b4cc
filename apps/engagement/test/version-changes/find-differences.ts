import type { UserEventData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import type { EngineDefinition } from '../../src/evaluation/definition';
import { readPublishedDefinitions } from '../../src/definitions/published-definitions.store';
import { readWorlds, wrongResults } from '../judged-worlds';
import { type OracleOwed, type World, capOf, changesOf, owedOf } from '../oracle';
import { linkInForce, versionInForce } from '../oracle/timeline';
import type { ExpectedDefinition } from './changed-definitions';
import type { Plan } from './plan';
import type { PlannedUser } from './plan-users';
import { type AwardRow, type MembershipRow, readAwardRows, readMembershipRows } from './result-rows';
import { type Published, readPublished } from './published-records';

/** Occurrences of a task and user; beyond them nothing is compared. */
const limit = 300;

/** What a run has left. */
export interface Results {
  readonly awards: readonly AwardRow[];
  readonly memberships: readonly MembershipRow[];
  readonly published: Published;
  readonly worlds: ReadonlyMap<string, World>;
}

/** Reads what a run has left in tables and topics; the worlds are of what was sent. */
export async function readResults(db: Queryable, plan: Plan): Promise<Results> {
  const accepted = plan.steps.flatMap(({ events }) => events.map(({ data }): UserEventData => data));
  return {
    awards: await readAwardRows(db),
    memberships: await readMembershipRows(db),
    published: await readPublished(plan.platform),
    worlds: await readWorlds(db, plan.platform, accepted, plan.endS),
  };
}

/** Where the stored definitions are not those that operators have published. */
export async function wrongDefinitions(
  db: Queryable,
  expected: readonly ExpectedDefinition[],
  nowS: number,
): Promise<string[]> {
  const { definitions } = await readPublishedDefinitions(db, nowS);
  const stored = definitions.map(({ definitionId, versions, endedAt }) =>
    lineOf(definitionId, { inForceFrom: versions.map((version) => version.inForceFrom), endedAt }),
  );
  return differing(
    expected.map((each) => lineOf(each.definitionId, each)),
    stored,
  );
}

/** Where awards, memberships and topics differ from a naive recomputation of what was sent, as sentences. */
export async function findDifferences(db: Queryable, plan: Plan, results: Results): Promise<string[]> {
  const wrong = [...wrongLedgers(results), ...wrongMemberships(results)];
  for (const user of plan.users) {
    const found = results.worlds.get(user.userId);
    const of = (sentences: readonly string[]): void =>
      void wrong.push(...sentences.map((each) => `${user.userId}: ${each}`));
    if (found === undefined) {
      of(['is unknown']);
      continue;
    }
    if (JSON.stringify(found.links) !== JSON.stringify(user.links))
      of([`links ${JSON.stringify(found.links)} instead of ${JSON.stringify(user.links)}`]);
    const made = { ...found, links: user.links };
    const bounds = { surelyS: plan.endS, perhapsS: plan.endS, limit };
    of(await wrongResults(db, { platform: plan.platform, userId: user.userId }, made, bounds));
    of(wrongAccounts(user, made, results, plan.endS));
    of(wrongPayees(user, made, results));
    if (user.isExact) of(inexact(user, made, results, plan.endS));
  }
  return wrong;
}

/**
 * Awards that were paid to another account than the rule allows with any knowledge of events: that of an event of the second, or of
 * the link in force, which is known by then however late its records are applied; of nobody linked, that of a later link.
 */
function wrongPayees({ userId }: PlannedUser, made: World, { published }: Results): string[] {
  const paid = published.awards.filter((each) => each.userId === userId && each.kind === 'issued');
  return paid
    .filter(({ account, reachedAt }) => {
      const inForce = linkInForce(made, reachedAt);
      const links = inForce ? [inForce] : made.links.filter(({ linkedAt }) => linkedAt > reachedAt);
      const events = made.events.filter(({ createdAt }) => createdAt === reachedAt);
      return ![...links, ...events].some((each) => each.account === account);
    })
    .map((each) => `paid to an account that was not linked: ${JSON.stringify(each)}`);
}

/** Members of whom the last record names another account than that of the link in force. */
function wrongAccounts({ userId }: PlannedUser, made: World, { published }: Results, nowS: number): string[] {
  const account = linkInForce(made, nowS)?.account;
  const last = new Map(
    published.memberships.filter((each) => each.userId === userId).map((each) => [each.segmentId, each]),
  );
  return [...last.values()]
    .filter((each) => each.member && each.account !== account)
    .map((each) => `segment ${each.segmentId}: ${each.account} since ${each.changedAt}, and linked is ${account}`);
}

/** What differs for a user of whom the engine knew at all instants what the oracle does. */
function inexact({ userId }: PlannedUser, made: World, { awards, published }: Results, nowS: number): string[] {
  return made.definitions.flatMap((definition) => {
    const { definitionId } = definition;
    if (definition.kind === 'task') {
      const found = awards.filter((award) => award.userId === userId && award.taskId === definitionId);
      const owed = owedOf(made, definition, nowS, { limit });
      const expected = owed.map((each) => `${awardText(each)} issued`);
      const lines = found.map((each) => `${awardText(each)} ${each.entries.join(' ')}`);
      // What one event brings beyond a low `max_per_event` waits for an approver. Which occurrences fill `max_per_user` is decided by
      // the order of issue, in which those that wait for links come later (reading 5). Their number is compared for all users.
      const isPart = definition.versions[0].body.max_per_event < 10 || owed.length > capOf(definition);
      const least = isPart ? expected.filter((line) => lines.includes(line)) : expected;
      return differing(least, lines).map((each) => `task ${definitionId}: ${each}`);
    }
    // The end of a segment that is paused lets members leave who left before, of which the pause told nothing.
    if (definition.paused) return [];
    const records = published.memberships.filter((each) => each.userId === userId && each.segmentId === definitionId);
    const changes = changesOf(made, definition, nowS).map(({ at, member }) => changeText(member, at));
    const told = records.map(({ member, changedAt }) => changeText(member, changedAt));
    const places = told.map((each) => changes.indexOf(each));
    const isInOrder = places.every((at, index) => at > (places[index - 1] ?? -1));
    return isInOrder ? [] : [`segment ${definitionId}: told ${told.join()} of ${changes.join()}`];
  });
}

function awardText({ occurrence, version, reachedAt, account, reward }: Pick<OracleOwed, AwardField>): string {
  return `${occurrence} v${version} at ${reachedAt} to ${account} ${'amount' in reward ? reward.amount : 'nothing'}`;
}

type AwardField = 'occurrence' | 'version' | 'reachedAt' | 'account' | 'reward';

function changeText(member: boolean, atS: number): string {
  return `${member ? 'member since' : 'left at'} ${atS}`;
}

/** Entries that do not alternate, records that are not the entries, and awards that are not of the version in force. */
function wrongLedgers({ awards, published, worlds }: Results): string[] {
  const recorded = new Map<string, string[]>();
  for (const { awardId, seq, kind } of published.awards)
    recorded.set(awardId, [...(recorded.get(awardId) ?? []), `${seq} ${kind}`]);
  const wrong = awards.flatMap(({ awardId, userId, occurrence, entries, reversed }): string[] => {
    const name = `award ${awardId} of ${userId} for ${occurrence}`;
    const numbered = entries.map((kind, at) => `${at + 1} ${kind}`);
    const told = recorded.get(awardId) ?? [];
    recorded.delete(awardId);
    return [
      ...(entries.some((kind, at) => kind !== (at % 2 === 0 ? 'issued' : 'reversed'))
        ? [`${name} has the entries ${entries.join()}`]
        : []),
      ...(reversed === (entries.at(-1) === 'reversed') ? [] : [`${name} is reversed: ${reversed}; ${entries.join()}`]),
      ...differing(numbered, told).map((each) => `records of ${name}: ${each}`),
    ];
  });
  const definitions = new Map<string, EngineDefinition>(
    [...worlds.values()].flatMap((made) => made.definitions.map((each) => [each.definitionId, each])),
  );
  const unversioned = published.awards.filter(({ taskId, version, reachedAt, reward }) => {
    const task = definitions.get(taskId);
    if (task?.kind !== 'task') return true;
    const inForce = versionInForce(task.versions, reachedAt);
    const stated = inForce.body.reward;
    return inForce.version !== version || !('amount' in stated) || stated.amount !== reward.amount;
  });
  return [
    ...wrong,
    ...[...recorded.keys()].map((awardId) => `records of the award ${awardId}, which is not stored`),
    ...unversioned.map((record) => `not of the version in force: ${JSON.stringify(record)}`),
  ];
}

/** Records that repeat the one before, and last records that are not what is stored. */
function wrongMemberships({ memberships, published }: Results): string[] {
  const last = new Map<string, Published['memberships'][number]>();
  const repeated = published.memberships.flatMap((record) => {
    const key = `${record.userId} in ${record.segmentId}`;
    const before = last.get(key);
    last.set(key, record);
    // A member who links another account enters with that.
    const isRepeat = record.member && before?.member === true && record.account === before.account;
    const isAlone = !record.member && before?.member !== true;
    return isRepeat || isAlone ? [`${key}: ${JSON.stringify(record)} follows ${JSON.stringify(before ?? null)}`] : [];
  });
  const told = [...last].map(([key, { member, changedAt }]) => `${key}: ${member} since ${changedAt}`);
  const stored = memberships.map(
    ({ userId, segmentId, member, changedAt }) => `${userId} in ${segmentId}: ${member} since ${changedAt}`,
  );
  return [...repeated, ...differing(stored, told).map((each) => `records of memberships: ${each}`)];
}

function lineOf(
  definitionId: string,
  { inForceFrom, endedAt }: Pick<ExpectedDefinition, 'inForceFrom' | 'endedAt'>,
): string {
  return `${definitionId} in force from ${inForceFrom.join()}, ended at ${endedAt}`;
}

/** The lines that only one side has. */
function differing(expected: readonly string[], found: readonly string[]): string[] {
  return [
    ...expected.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `not expected: ${line}`),
    ...(expected.length !== found.length && new Set(found).size !== found.length
      ? [`repeated in: ${found.join()}`]
      : []),
  ];
}
