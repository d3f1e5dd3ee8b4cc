import type { EncodedEvent } from '../api/partner-event';
import type { Position } from '../queue/segment';
import { setAsideDelayMs } from './backoff';
import { DueHeap, Scheduled } from './due-heap';

/** Why an event was set aside: its user is not linked, its name is not negotiated, or it waits for itself alone. */
export type SetAsideReason = 'user' | 'name' | 'event';

/** An event of a group that is due. */
export interface DueTry {
  readonly key: string;
  readonly position: Position;
}

const reasons: readonly SetAsideReason[] = ['user', 'name', 'event'];

interface Group extends Scheduled {
  readonly key: string;
  readonly positions: Position[];
  attempts: number;
  retryAfterMs: number;
  triedAtMs: number;
  isTrying: boolean;
  /** It has an event that is newer than the last try. */
  isRenewed: boolean;
}

/**
 * Events that cannot be accepted yet, by what they wait for: a user, an event name, or the time of the event itself. One
 * event of a group is tried when the group is due; the others wait for its answer and cost no requests. Kept are places,
 * not contents.
 */
export class SetAsideEvents {
  private readonly groups = new Map<string, Group>();
  /** Groups that are not due yet, and are not being tried. */
  private readonly waiting = new DueHeap<Group>();
  /** Groups that are due, those with new events apart. */
  private readonly dueRenewed = new Set<Group>();
  private readonly dueOthers = new Set<Group>();
  /** Which of both has the odd try: of a limit of one, each has every second. */
  private areRenewedFirst = false;
  private held = 0;

  constructor(private readonly random: () => number) {}

  /** How many events are set aside. */
  get size(): number {
    return this.held;
  }

  /** Sets an event aside after its refusal. */
  add(reason: SetAsideReason, event: EncodedEvent, position: Position, retryAfterMs: number, nowMs: number): void {
    const key = keyOf(reason, event);
    let group = this.groups.get(key);
    if (!group) this.groups.set(key, (group = newGroup(key)));
    // Several events of a group may have been under way together: their refusals are one attempt.
    if (group.isTrying || group.attempts === 0) group.attempts += 1;
    group.isTrying = false;
    group.retryAfterMs = retryAfterMs;
    group.triedAtMs = nowMs;
    group.dueAtMs = nowMs + setAsideDelayMs(group.attempts - 1, retryAfterMs, this.random);
    this.schedule(group);
    this.hold(group, position);
  }

  /**
   * Sets an event aside without a try if its user or name already is. It makes the next try of its group come as early as
   * the last answer allows: an event of a user who was not linked for days may well mean that the user is linked now.
   */
  join(event: EncodedEvent, position: Position): boolean {
    const key = [keyOf('name', event), keyOf('user', event)].find((each) => this.groups.has(each));
    const group = key === undefined ? undefined : this.groups.get(key);
    if (!group) return false;
    this.hold(group, position);
    const earliestMs = Math.min(group.dueAtMs, group.triedAtMs + group.retryAfterMs);
    if (group.isRenewed && earliestMs === group.dueAtMs) return true;
    group.isRenewed = true;
    group.dueAtMs = earliestMs;
    if (!group.isTrying) this.schedule(group);
    return true;
  }

  /**
   * One event of each group that is due, up to a limit; they stay here until `begin` or `drop`. Groups with new events take at
   * most half of the tries from the others.
   */
  due(nowMs: number, limit: number): DueTry[] {
    for (let next = this.waiting.first; next && next.dueAtMs <= nowMs; next = this.waiting.first) {
      this.waiting.remove(next);
      this.dueOf(next).add(next);
    }
    const tries = new Map<string, Position>();
    const addDue = (groups: Iterable<Group>, most: number): void => {
      for (const { key, positions } of groups) {
        if (tries.size >= most) break;
        const position = positions.at(-1);
        if (position) tries.set(key, position);
      }
    };
    this.areRenewedFirst = !this.areRenewedFirst;
    addDue(this.dueRenewed, this.areRenewedFirst ? Math.ceil(limit / 2) : Math.floor(limit / 2));
    addDue(this.dueOthers, limit);
    addDue(this.dueRenewed, limit);
    return Array.from(tries, ([key, position]) => ({ key, position }));
  }

  /** The tries are on their way. Their groups come behind the others when they are due again: more may be due than can be tried. */
  begin(tries: readonly DueTry[]): void {
    for (const { key } of tries) {
      const group = this.removeLast(key);
      if (!group) continue;
      this.unschedule(group);
      group.isTrying = true;
      group.isRenewed = false;
    }
  }

  /** The tries cannot be sent, so that none gets an answer: the next event of each group is due. */
  drop(tries: readonly DueTry[]): void {
    for (const { key } of tries) {
      const group = this.removeLast(key);
      if (group?.positions.length === 0) this.forget(group);
    }
  }

  /** When the next group is due; undefined when none is. */
  nextDueMs(): number | undefined {
    const due: Iterable<Group | undefined> = this.dueRenewed.size > 0 ? this.dueRenewed : this.dueOthers;
    const [first = this.waiting.first] = due;
    return first?.dueAtMs;
  }

  /** An event was accepted: its user is linked and its name negotiated. Returns what waited for the same. */
  accepted(event: EncodedEvent): Position[] {
    return reasons.flatMap((reason) => this.dissolve(keyOf(reason, event)));
  }

  /** The user of an event is not linked; that is answered only for names that are negotiated. Returns what waited for its name. */
  nameIsKnown(event: EncodedEvent): Position[] {
    return this.dissolve(keyOf('name', event));
  }

  /** An event was refused for what says nothing about these reasons: another event of the same is tried next. */
  forgetTry(event: EncodedEvent, ...of: readonly SetAsideReason[]): void {
    for (const reason of of) {
      const key = keyOf(reason, event);
      const group = this.groups.get(key);
      if (!group?.isTrying) continue;
      group.isTrying = false;
      if (group.positions.length === 0) this.forget(group);
      else this.schedule(group);
    }
  }

  private schedule(group: Group): void {
    this.unschedule(group);
    this.waiting.put(group);
  }

  private unschedule(group: Group): void {
    this.waiting.remove(group);
    this.dueRenewed.delete(group);
    this.dueOthers.delete(group);
  }

  private dueOf({ isRenewed }: Group): Set<Group> {
    return isRenewed ? this.dueRenewed : this.dueOthers;
  }

  private removeLast(key: string): Group | undefined {
    const group = this.groups.get(key);
    if (group?.positions.pop()) this.held -= 1;
    return group;
  }

  private hold(group: Group, position: Position): void {
    group.positions.push(position);
    this.held += 1;
  }

  private forget(group: Group): void {
    this.unschedule(group);
    this.groups.delete(group.key);
  }

  private dissolve(key: string): Position[] {
    const group = this.groups.get(key);
    if (!group) return [];
    this.forget(group);
    this.held -= group.positions.length;
    return group.positions;
  }
}

function newGroup(key: string): Group {
  return {
    key,
    positions: [],
    attempts: 0,
    retryAfterMs: 0,
    triedAtMs: 0,
    dueAtMs: 0,
    isTrying: false,
    isRenewed: false,
    place: -1,
  };
}

function keyOf(reason: SetAsideReason, { id, name, platformUserId }: EncodedEvent): string {
  switch (reason) {
    case 'user':
      return `user:${platformUserId}`;
    case 'name':
      return `name:${name}`;
    case 'event':
      return `event:${id}`;
  }
}
