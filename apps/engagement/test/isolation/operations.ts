import { StatedRate } from '../../src/rates/rates.store';
import { inDays } from '../definitions-api';
import { furtherRate, waitingRate } from './seeded-rates';
import { dryRunDates } from './seeded-trials';
import { Side } from './two-organizers';

/** How an operation of the operators' API names what belongs to an organizer. */
export interface IsolatedOperation {
  /**
   * `definition` and `user`: its path has the id, and others' ids do not exist. `list`: it shows what the operator may see.
   * `create`: its body names a platform. `trial`: like `definition`, and its path has the id of a preview or dry run, too.
   * `organizer`: its query or body names an organizer, and others are forbidden.
   */
  readonly of: 'definition' | 'trial' | 'user' | 'list' | 'create' | 'organizer';
  /** The preview or dry run in the path. */
  readonly trialId?: (of: Side) => string;
  /** Parameters that name something of an organizer. */
  readonly query?: (of: Side) => Readonly<Record<string, string>>;
  /** A body that an own operator may send. */
  readonly body?: (of: Side) => object;
}

const definition = { of: 'definition' } as const;
const ofUser = { ...definition, query: ({ userId }: Side) => ({ user_id: userId }) };
const rows = { ...definition, body: ({ unissuedIds }: Side) => ({ ids: unissuedIds.slice(0, 1) }) };
const otherRows = { ...definition, body: ({ unissuedIds }: Side) => ({ ids: unissuedIds.slice(1) }) };
const publication = { ...definition, body: () => ({ version: 2, in_force_from: inDays(300) }) };
const preview = { of: 'trial', trialId: ({ previews }: Side) => previews.finishedId } as const;
const waitingPreview = { of: 'trial', trialId: ({ previews }: Side) => previews.waitingId } as const;
const dryRun = { of: 'trial', trialId: ({ dryRuns }: Side) => dryRuns.finishedId } as const;
const waitingDryRun = { of: 'trial', trialId: ({ dryRuns }: Side) => dryRuns.waitingId } as const;
const ofOrganizer = ({ organizerId }: Side) => ({ organizer_id: organizerId });
const ratesOf = (rate: StatedRate) => (of: Side) => ({ ...ofOrganizer(of), rates: [rate] });
const condition = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 7 };
const segment = { name: 'a further segment', condition };
const task = {
  name: 'a further task',
  ...{ goal: condition, repeat: { once: true }, reward: { type: 'points', amount: '1' }, budget: { total: '2000' } },
};

/**
 * Every operation of engagement by its id, in an order in which an operator may call all of them. A new one fails the spec until
 * it has a row here.
 */
export const engagementOperations: Readonly<Record<string, IsolatedOperation>> = {
  createSegment: { of: 'create', body: ({ platform }) => ({ platform, ...segment }) },
  createTask: { of: 'create', body: ({ platform }) => ({ platform, ...task }) },
  listSegments: { of: 'list', query: ({ platform }) => ({ platform }) },
  listTasks: { of: 'list', query: ({ platform }) => ({ platform }) },
  listAwards: {
    of: 'list',
    query: ({ platform, userId, taskId }) => ({ platform, user_id: userId, task_id: taskId }),
  },
  getUser: { of: 'user' },
  getSegment: definition,
  getTask: definition,
  listMembers: definition,
  exportMembers: definition,
  listTaskAwards: definition,
  exportTaskAwards: definition,
  listProgress: definition,
  exportProgress: definition,
  explainSegment: ofUser,
  explainTask: ofUser,
  listUnissued: ofUser,
  getTaskBudget: definition,
  listTaskAudit: definition,
  listSegmentAudit: definition,
  listPreviews: definition,
  getPreview: preview,
  listPreviewCapped: preview,
  listDryRuns: definition,
  getDryRun: dryRun,
  listDryRunAwards: dryRun,
  exportDryRunAwards: dryRun,
  listDryRunCapped: dryRun,
  // A definition has one unfinished trial at a time: the one that waits is cancelled before another is ordered.
  cancelPreview: waitingPreview,
  cancelDryRun: waitingDryRun,
  orderPreview: { ...definition, body: () => ({}) },
  orderDryRun: { ...definition, body: dryRunDates },
  listRates: { of: 'list', query: ofOrganizer },
  listRatesAudit: { of: 'organizer', query: ofOrganizer },
  giveRates: { of: 'organizer', body: ratesOf(furtherRate) },
  approveRates: { of: 'organizer', body: ratesOf(waitingRate) },
  payUnissued: rows,
  refuseUnissued: otherRows,
  raiseBudget: { ...definition, body: () => ({ total: '5000' }) },
  addSegmentVersion: { ...definition, body: () => segment },
  addTaskVersion: { ...definition, body: () => task },
  publishSegment: publication,
  publishTask: publication,
  getSegmentBackfill: definition,
  getTaskBackfill: definition,
  pauseSegmentBackfill: definition,
  pauseTaskBackfill: definition,
  resumeSegmentBackfill: definition,
  resumeTaskBackfill: definition,
  pauseSegment: definition,
  pauseTask: definition,
  resumeSegment: definition,
  resumeTask: definition,
  endSegment: definition,
  endTask: definition,
};
