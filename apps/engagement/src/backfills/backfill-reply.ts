import { SweepPause, SweepProgress } from '../due/definition-sweeps.store';
import { BackfillReply } from './backfill.dto';

/** The backfill of a version as operators see it at a time (Unix milliseconds); without a sweep it has not begun. */
export function backfillReply(
  version: { readonly definitionId: string; readonly version: number },
  sweep: SweepProgress | null,
  pause: SweepPause | null,
  nowMs: number,
): BackfillReply {
  const usersDone = sweep === null ? 0 : Math.max(0, sweep.usersSwept - sweep.usersWaiting);
  // A pause goes first: operators see one that is left when events have evaluated everybody, and that would hold a next sweep.
  const isFinished = pause === null && sweep !== null && sweep.finishedAt !== null && sweep.usersWaiting === 0;
  const state = isFinished ? 'finished' : pause !== null ? 'paused' : sweep === null ? 'waiting' : 'running';
  const perSecond = sweep === null || usersDone === 0 ? null : usersDone / activeSeconds(sweep, pause, nowMs);
  const usersTotal = sweep?.usersTotal ?? null;
  const isTimeKnown = state === 'running' && perSecond !== null && usersTotal !== null;
  return {
    definition_id: version.definitionId,
    version: version.version,
    state,
    users_total: usersTotal,
    users_done: usersDone,
    users_per_second: perSecond === null ? null : Math.round(perSecond * 10) / 10,
    seconds_left: isTimeKnown ? Math.ceil(Math.max(0, usersTotal - usersDone) / perSecond) : null,
    started_at: sweep?.startedAt.toISOString() ?? null,
    finished_at: isFinished ? (sweep.finishedAt?.toISOString() ?? null) : null,
    paused_at: pause?.pausedAt.toISOString() ?? null,
    paused_by: pause?.pausedBy ?? null,
  };
}

/** The time for which it was not paused; at least a second. */
function activeSeconds(sweep: SweepProgress, pause: SweepPause | null, nowMs: number): number {
  const endMs = Math.min(sweep.finishedAt?.getTime() ?? nowMs, pause?.pausedAt.getTime() ?? nowMs);
  return Math.max(1, (endMs - sweep.startedAt.getTime()) / 1000 - sweep.pausedSeconds);
}
