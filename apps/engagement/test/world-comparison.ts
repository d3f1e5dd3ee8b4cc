import { Queryable } from '@podium/runtime/postgres';
import { occurrencesOf } from '../src/awards/occurrence-range';
import type { TaskDefinition } from '../src/evaluation/definition';
import { type OracleOwed, type World, capOf, memberAt, owedOf } from './oracle';
import { closesAt } from './oracle/task-bounds';

/** How far a comparison goes. */
export interface ComparisonBounds {
  /** Unix seconds: what was reached by then must have been settled. */
  readonly surelyS: number;
  /** Unix seconds: what is reached by then may have been settled. */
  readonly perhapsS: number;
  /** Tasks that owe so many occurrences or more are not compared. */
  readonly limit: number;
}

/** The user of a world, as the tables know it. */
export interface ComparedUser {
  readonly platform: string;
  readonly userId: string;
}

/** Compares a user's awards and memberships in the tables with a naive recomputation; returns what is wrong, as sentences. */
export async function wrongResults(
  db: Queryable,
  user: ComparedUser,
  made: World,
  bounds: ComparisonBounds,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const definition of made.definitions)
    if (definition.kind === 'task') {
      const found = wrongAwards(made, definition, await readAwards(db, user, definition.definitionId), bounds);
      wrong.push(...found.map((sentence) => `task ${definition.definitionId}: ${sentence}`));
    } else if (!definition.paused) {
      const member = await isMember(db, user, definition.definitionId);
      const could = [bounds.surelyS, bounds.perhapsS].map((atS) => memberAt(made, definition, atS));
      if (!could.includes(member)) wrong.push(`segment ${definition.definitionId}: member is ${member}`);
    }
  return wrong;
}

/** What the tables have of a user and a task. */
interface AwardRows {
  readonly issued: readonly IssuedRow[];
  readonly kept: readonly KeptRow[];
}

interface IssuedRow {
  readonly occurrence: string;
  /** Unix seconds: as it was issued, which is never rewritten (docs/engine.md, rule 1). */
  readonly reachedAt: number;
}

interface KeptRow {
  readonly series: string;
  readonly first: number;
  readonly last: number;
  readonly status: string;
  /** To whom it would be issued; null: nobody is linked. */
  readonly account: string | null;
}

function wrongAwards(
  made: World,
  task: TaskDefinition,
  { issued, kept }: AwardRows,
  { surelyS, perhapsS, limit }: ComparisonBounds,
): string[] {
  const perhaps = owedOf(made, task, perhapsS, { limit });
  if (perhaps.length === limit) return [];
  const surely = perhaps.filter(({ reachedAt }) => reachedAt <= surelyS);
  const owed = new Set(perhaps.map(({ occurrence }) => occurrence));
  const isTakenBack = task.versions.every(({ body }) => body.claw_back !== 'none');
  const found = issued.length + heldCount(kept);
  const accounts = new Set([...made.events, ...made.links].map(({ account }) => account));
  // Issued or held for another instant: an event that arrived later lets time decide now, maybe while nobody was linked.
  const isEarlierIssue = (each: OracleOwed): boolean =>
    issued.some(({ occurrence, reachedAt }) => occurrence === each.occurrence && reachedAt !== each.reachedAt) ||
    kept.some((row) => isHeld(row) && occurrencesOf(row).includes(each.occurrence) && accounts.has(row.account ?? ''));
  const payableBy = (some: readonly OracleOwed[], isPayableIn: (each: OracleOwed) => boolean): number =>
    Math.min(capOf(task), some.filter(isPayableIn).length);
  const least = payableBy(surely, (each) => isPayable(made, task, each, surelyS));
  const most = payableBy(perhaps, (each) => isPayable(made, task, each, perhapsS) || isEarlierIssue(each));
  const undone = issued.filter(({ occurrence }) => !owed.has(occurrence)).map(({ occurrence }) => occurrence);
  const paused = task.paused ? [] : kept.filter(({ status }) => status === 'held_by_pause');
  const state = JSON.stringify({ issued: issued.map(({ occurrence }) => occurrence), kept, owed: perhaps });
  return [
    ...(isTakenBack && undone.length > 0 ? [`issued and not owed: ${undone.join()}; ${state}`] : []),
    ...(paused.length > 0 ? [`still held by a pause; ${state}`] : []),
    ...(found < least ? [`${found} issued or held of ${least}; ${state}`] : []),
    ...(isTakenBack && found > most ? [`${found} issued or held, more than ${most}; ${state}`] : []),
  ];
}

function heldCount(kept: readonly KeptRow[]): number {
  return kept.filter(isHeld).reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

function isHeld({ status }: KeptRow): boolean {
  return status === 'held_by_limit' || status === 'withheld';
}

/** Whether somebody can be paid: the account that decides, or that of a later link. */
function isPayable(made: World, task: TaskDefinition, { account, reachedAt }: OracleOwed, nowS: number): boolean {
  const until = Math.min(closesAt(made, task), nowS);
  return account !== null || made.links.some(({ linkedAt }) => linkedAt > reachedAt && linkedAt <= until);
}

async function readAwards(db: Queryable, { platform, userId }: ComparedUser, taskId: string): Promise<AwardRows> {
  const { rows: issued } = await db.query<IssuedRow>(
    `SELECT occurrence, reached_at::float8 AS "reachedAt" FROM engagement.awards
     WHERE task_id = $1 AND platform = $2 AND user_id = $3 AND NOT reversed`,
    [taskId, platform, userId],
  );
  const { rows: kept } = await db.query<KeptRow>(
    `SELECT series, first, last, status, account FROM engagement.unissued_awards JOIN engagement.users USING (user_ref)
     WHERE task_id = $1 AND platform = $2 AND user_id = $3`,
    [taskId, platform, userId],
  );
  return { issued, kept };
}

async function isMember(db: Queryable, { platform, userId }: ComparedUser, segmentId: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM engagement.memberships JOIN engagement.users USING (user_ref)
     WHERE segment_id = $1 AND platform = $2 AND user_id = $3 AND member`,
    [segmentId, platform, userId],
  );
  return rows.length > 0;
}
