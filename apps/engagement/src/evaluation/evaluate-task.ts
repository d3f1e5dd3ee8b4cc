import { CompiledPeriods } from './compile-repeat';
import { CompiledTask, CompiledTaskVersion } from './compiled-task';
import { versionIndexAt } from './compiled-segment';
import { decidingEvent, eventsOfSecond, momentBefore } from './deciding-event';
import { compareEvents } from './event-order';
import { HistoryEvent } from './history';
import { instantsOf } from './instants';
import { Moment, momentOf } from './moment';
import { DecidingEvent, Evidence, Occurrences, Owed } from './owed';
import { StepRanges, passedSteps } from './passed-steps';
import { UserView, isInForce } from './user-history';

/** The result of evaluating a task. */
export interface TaskEvaluation {
  /** Ordered by (`reachedAt`, occurrence). */
  readonly owed: readonly Owed[];
  /** Unix seconds at which the next occurrence is reached without an event; null when only events can. */
  readonly dueAt: number | null;
}

/** What an evaluation of a task is asked for. */
export interface TaskRange {
  /** Unix seconds; earlier instants are not evaluated. */
  readonly fromS: number;
  readonly nowS: number;
}

const evidenceEvents = 5;

/**
 * All that a task owes a user for instants of the range: an occurrence at the first second at which its goal holds and, with
 * `eligible`, that holds too. `names` are those of all events on which goal and eligibility depend.
 */
export function evaluateTask(
  task: CompiledTask,
  given: UserView,
  names: ReadonlySet<string>,
  range: TaskRange,
): TaskEvaluation {
  const view = given.receivedBefore(task.closesAt);
  const { past, future, isCut } = instantsOf(view, names, range, (add) => addBoundaries(task, view, range, add));
  const run = new TaskRun(task, view, names);
  for (const atS of past) run.reach(atS);
  const owed = [...run.owed];
  for (const atS of future) {
    run.reach(atS);
    if (run.owed.length > owed.length) return { owed, dueAt: atS };
  }
  return { owed, dueAt: isCut ? future[future.length - 1] : null };
}

/**
 * The occurrences of `every` that the events seen before an instant have passed, by the version in force at it; undefined when
 * there are none. When each was passed, and by which event, is not known.
 */
export function stepsPassedBefore(task: CompiledTask, given: UserView, atS: number): Occurrences | undefined {
  const { repeat, generation, firstS } = task.versions[versionIndexAt(task.definition.versions, atS)];
  if (repeat.kind !== 'every' || atS < firstS) return undefined;
  const moment = momentBefore(momentOf(given.receivedBefore(task.closesAt), atS));
  const base = repeat.baseAt(moment);
  const first = repeat.passedBy(base) + 1;
  const last = repeat.passedBy(base + repeat.insideAt(moment));
  return first <= last ? { kind: 'every', generation, first, last } : undefined;
}

/** Whether goal and, with `eligible`, the segment hold at an instant of a version. */
export function isReached({ goal, eligible }: CompiledTaskVersion, moment: Moment): boolean {
  return goal.holds(moment) && (eligible === null || eligible.holds(moment));
}

function addBoundaries(
  { versions, definition }: CompiledTask,
  view: UserView,
  { fromS, nowS }: TaskRange,
  add: (atS: number) => void,
): void {
  for (const { firstS, lastS, goal, repeat, body } of versions) {
    const addWithin = (atS: number): void => {
      if (atS >= firstS && atS < lastS) add(atS);
    };
    addWithin(firstS);
    goal.boundaries(view, addWithin);
    if (repeat.kind !== 'per') continue;
    const first = Math.max(fromS, firstS, view.beginsAt());
    const last = lastStart(repeat, { versions, zone: body.zone }, Math.max(nowS, firstS));
    if (Number.isFinite(first))
      for (let atS = repeat.startAt(first); atS <= last && atS < lastS; atS = repeat.nextAt(atS)) addWithin(atS);
  }
  for (const dependencies of new Set(versions.map((version) => version.dependencies())))
    for (const { segment } of dependencies)
      segment.ownBoundaries(view, (atS) => {
        const version = versions[versionIndexAt(definition.versions, atS)];
        const isWithin = atS >= version.firstS && atS < version.lastS;
        if (isWithin && version.dependencies() === dependencies) add(atS);
      });
}

/** Clocks of two zones differ by up to 26 hours: so many days may be paid ahead under the names of another zone. */
const daysAheadOfZone = 2;

/**
 * The last start of a period that may be the next one to pay, seen from an instant. A period is paid once under its name, and versions
 * of other zones reach a name earlier.
 */
function lastStart(
  repeat: CompiledPeriods,
  { versions, zone }: { readonly versions: readonly CompiledTaskVersion[]; readonly zone: string },
  atS: number,
): number {
  let start = repeat.nextAt(atS);
  if (versions.some(({ body }) => body.zone !== zone))
    for (let days = 0; days < daysAheadOfZone; days++) start = repeat.nextAt(start);
  return start;
}

class TaskRun {
  readonly owed: Owed[] = [];
  private readonly reached = new Set<string>();
  private readonly passed = new Map<number, StepRanges>();

  constructor(
    private readonly task: CompiledTask,
    private readonly view: UserView,
    private readonly names: ReadonlySet<string>,
  ) {}

  reach(atS: number): void {
    const versions = this.task.versions;
    const version = versions[versionIndexAt(this.task.definition.versions, atS)];
    if (atS < version.firstS || atS >= version.lastS) return;
    const moment = momentOf(this.view, atS);
    if (version.repeat.kind === 'every') this.reachSteps(version, moment);
    else this.reachOne(version, moment);
  }

  private reachOne(version: CompiledTaskVersion, moment: Moment): void {
    const { repeat, generation } = version;
    const occurrence = repeat.kind === 'per' ? repeat.keyAt(moment.atS) : `g${generation}:once`;
    if (this.reached.has(occurrence) || !isReached(version, moment)) return;
    // Time alone reaches nothing before the user's first link.
    if (moment.link === null && isReached(version, momentBefore(moment))) return;
    this.reached.add(occurrence);
    const events = eventsOfSecond(this.view, this.names, moment.atS);
    const decidedBy = decidingEvent(moment, events, (at) => isReached(version, at));
    this.owed.push(this.owedOf(version, moment, { kind: 'one', occurrence }, decidedBy));
  }

  private reachSteps(version: CompiledTaskVersion, moment: Moment): void {
    const { repeat, eligible, generation } = version;
    if (repeat.kind !== 'every' || (eligible !== null && !eligible.holds(moment))) return;
    const events = eventsOfSecond(this.view, this.names, moment.atS);
    if (events.length === 0) return;
    const before = this.passed.get(generation) ?? new StepRanges();
    this.passed.set(generation, before);
    for (const { steps, decidedBy } of passedSteps(repeat, eligible, moment, events))
      for (const { first, last } of before.add(steps))
        this.owed.push(this.owedOf(version, moment, { kind: 'every', generation, first, last }, decidedBy));
  }

  private owedOf(
    version: CompiledTaskVersion,
    moment: Moment,
    occurrences: Occurrences,
    decidedBy: HistoryEvent | null,
  ): Owed {
    const { atS } = moment;
    const { link } = moment;
    let evidence: Evidence | undefined;
    return {
      occurrences,
      reachedAt: atS,
      version: version.version,
      decidedBy: decidedBy === null ? null : decidingEventOf(decidedBy),
      account: decidedBy?.account ?? (link !== null && isInForce(link, atS) ? link.account : null),
      reward: version.reward.at(moment, decidedBy),
      get evidence() {
        return (evidence ??= { values: valuesOf(version, moment), events: eventsOf(version, moment, decidedBy) });
      },
    };
  }
}

/** The deciding event, then the newest of those that count. */
function eventsOf(version: CompiledTaskVersion, moment: Moment, decidedBy: HistoryEvent | null): DecidingEvent[] {
  const counted: HistoryEvent[] = [];
  version.goal.counted(moment, (event) => counted.push(event));
  const newestFirst = counted.sort(compareEvents).reverse();
  const events = new Set([...(decidedBy === null ? [] : [decidedBy]), ...newestFirst]);
  return [...events].slice(0, evidenceEvents).map(decidingEventOf);
}

function valuesOf({ goal }: CompiledTaskVersion, moment: Moment): Record<string, string> {
  const values: [string, string][] = [];
  goal.values(moment, 'goal', (path, value) => values.push([path, value]));
  return Object.fromEntries(values.slice(0, 10));
}

function decidingEventOf({ id, createdAt, account }: HistoryEvent): DecidingEvent {
  return { id, createdAt, account };
}
