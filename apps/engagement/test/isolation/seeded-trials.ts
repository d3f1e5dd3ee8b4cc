import { createLog } from '@podium/runtime/log';
import { queryable } from '@podium/runtime/postgres';
import { addCapped } from '../../src/trials/trial-results.store';
import { continueTrial } from '../../src/trials/run-trials';
import { OperatorCaller } from '@podium/testing/operator-routes';
import { OperatorsApi } from '../operators-api';

/** The trials of a definition. */
export interface SideTrials {
  /** With members or awards, and with users whom it did not evaluate. */
  readonly finishedId: string;
  /** Of which nothing is evaluated yet, so that it can be cancelled. */
  readonly waitingId: string;
}

/** Whose definitions are tried. */
export interface TriedSide {
  readonly organizerId: string;
  readonly platform: string;
  readonly taskId: string;
  readonly segmentId: string;
}

/** The dates of a dry run up to this second, with the hour of seeded events. */
export function dryRunDates(): { readonly from: string; readonly to: string } {
  const iso = (atMs: number): string => new Date(atMs).toISOString();
  const toMs = Math.floor(Date.now() / 1000) * 1000;
  return { from: iso(toMs - 2 * 3_600_000), to: iso(toMs) };
}

/**
 * Tries the newest versions of the sides: of each definition a trial that has finished and one that waits. All sides at once,
 * because trials are run in the order in which they were ordered, of whatever organizer.
 */
export async function seedTrials(
  api: OperatorsApi,
  sides: readonly TriedSide[],
): Promise<{ readonly previews: SideTrials; readonly dryRuns: SideTrials }[]> {
  // A dry run has the events before its last second, which must be over.
  await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));
  const finished = await orderedOfAll(api, sides);
  const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
  while ((await continueTrial({ pool: api.pool, now: Date.now, logger }, 100)) > 0);
  for (const { previewId, dryRunId } of finished) {
    await requireBothUsers(api, 'trial_members', previewId);
    await requireBothUsers(api, 'trial_awards', dryRunId);
  }
  for (const [at, { platform }] of sides.entries())
    for (const trialId of Object.values(finished[at])) await capUsers(api, platform, trialId);
  const waiting = await orderedOfAll(api, sides);
  return sides.map((_, at) => ({
    previews: { finishedId: finished[at].previewId, waitingId: waiting[at].previewId },
    dryRuns: { finishedId: finished[at].dryRunId, waitingId: waiting[at].dryRunId },
  }));
}

interface Ordered {
  readonly previewId: string;
  readonly dryRunId: string;
}

async function orderedOfAll(api: OperatorsApi, sides: readonly TriedSide[]): Promise<Ordered[]> {
  const found: Ordered[] = [];
  for (const { organizerId, segmentId, taskId } of sides) {
    const author: OperatorCaller = { operatorId: `author-of-${organizerId}`, roles: { [organizerId]: 'editor' } };
    const ordered = async (path: string, body: object): Promise<Record<string, string>> => {
      const { status, text } = await api.call(author, 'POST', path, body);
      if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
      return JSON.parse(text) as Record<string, string>;
    };
    const preview = await ordered(`/admin/v1/segments/${segmentId}/previews`, {});
    const dryRun = await ordered(`/admin/v1/tasks/${taskId}/dry-runs`, dryRunDates());
    found.push({ previewId: preview.preview_id, dryRunId: dryRun.dry_run_id });
  }
  return found;
}

/** Lists all users of a platform as not evaluated: by events it would take 500 of each. */
async function capUsers({ pool }: OperatorsApi, platform: string, trialId: string): Promise<void> {
  const { rows } = await pool.query<{ userRef: number }>(
    `SELECT user_ref AS "userRef" FROM engagement.users WHERE platform = $1`,
    [platform],
  );
  const capped = rows.map(({ userRef }) => ({ userRef, name: 'deposit', month: 202001 }));
  await addCapped(queryable(pool), trialId, capped);
}

/** Throws unless a finished trial has rows of both users of its platform. */
async function requireBothUsers({ pool }: OperatorsApi, table: string, trialId: string): Promise<void> {
  const { rows } = await pool.query(
    `SELECT DISTINCT user_ref FROM engagement.trials JOIN engagement.${table} USING (trial_id)
     WHERE trial_id = $1 AND state = 'finished'`,
    [trialId],
  );
  if (rows.length !== 2) throw new Error(`expected rows of two users in ${table}, found ${rows.length}`);
}
