import type { EncodedEvent } from '../api/partner-event';
import type { Position } from '../queue/segment';
import { setAsideDelayMs } from './backoff';

/** Why an event was set aside: its user is not linked, its name is not negotiated, or it waits for itself alone. */
export type SetAsideReason = 'user' | 'name' | 'event';

/** An event of a group that is due. */
export interface DueTry {
  readonly key: string;
  readonly position: Position;
}

const reasons: readonly SetAsideReason[] = ['user', 'name', 'event'];

interface Group {
  readonly positions: Position[];
  attempts: number;
  retryAfterMs: number;
  triedAtMs: number;
  dueAtMs: number;
  isTrying: boolean;
}

/**
 * Events that cannot be accepted yet, by what they wait for: a user, an event name, or the time of the event itself. One
 * event of a group is tried when the group is due; the others wait for its answer and cost no requests. Kept are places,
 * not contents.
 */
export class SetAsideEvents {
  /** Those that were tried last come last. */
  private readonly groups = new Map<string, Group>();
  /** Groups with an event that is newer than the last try. */
  private readonly renewed = new Set<string>();
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
    if (!group) this.groups.set(key, (group = newGroup()));
    // Several events of a group may have been under way together: their refusals are one attempt.
    if (group.isTrying || group.attempts === 0) group.attempts += 1;
    group.isTrying = false;
    group.retryAfterMs = retryAfterMs;
    group.triedAtMs = nowMs;
    group.dueAtMs = nowMs + setAsideDelayMs(group.attempts - 1, retryAfterMs, this.random);
    this.hold(group, position);
  }

  /**
   * Sets an event aside without a try if its user or name already is. It makes the next try of its group come as early as
   * the last answer allows: an event of a user who was not linked for days may well mean that the user is linked now.
   */
  join(event: EncodedEvent, position: Position): boolean {
    const key = [keyOf('name', event), keyOf('user', event)].find((each) => this.groups.has(each));
    const group = key === undefined ? undefined : this.groups.get(key);
    if (key === undefined || !group) return false;
    this.hold(group, position);
    this.renewed.add(key);
    group.dueAtMs = Math.min(group.dueAtMs, group.triedAtMs + group.retryAfterMs);
    return true;
  }

  /**
   * One event of each group that is due, up to a limit; they stay here until `begin` or `drop`. Groups with new events take at
   * most half of the tries from the others.
   */
  due(nowMs: number, limit: number): DueTry[] {
    const tries = new Map<string, Position>();
    const addDue = (keys: Iterable<string>, most: number): void => {
      for (const key of keys) {
        if (tries.size >= most) break;
        const group = this.groups.get(key);
        const position = group?.positions.at(-1);
        if (group && position && !group.isTrying && group.dueAtMs <= nowMs) tries.set(key, position);
      }
    };
    this.areRenewedFirst = !this.areRenewedFirst;
    addDue(this.renewed, this.areRenewedFirst ? Math.ceil(limit / 2) : Math.floor(limit / 2));
    addDue(this.groups.keys(), limit);
    return Array.from(tries, ([key, position]) => ({ key, position }));
  }

  /** The tries are on their way. Their groups come behind the others: more may be due than can be tried. */
  begin(tries: readonly DueTry[]): void {
    for (const { key } of tries) {
      const group = this.removeLast(key);
      if (!group) continue;
      group.isTrying = true;
      this.renewed.delete(key);
      this.groups.delete(key);
      this.groups.set(key, group);
    }
  }

  /** The tries cannot be sent, so that none gets an answer: the next event of each group is due. */
  drop(tries: readonly DueTry[]): void {
    for (const { key } of tries) if (this.removeLast(key)?.positions.length === 0) this.forget(key);
  }

  /** When the next group is due; undefined when none is. */
  nextDueMs(): number | undefined {
    let next: number | undefined;
    for (const { isTrying, dueAtMs } of this.groups.values())
      if (!isTrying && (next === undefined || dueAtMs < next)) next = dueAtMs;
    return next;
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
      if (group.positions.length === 0) this.forget(key);
    }
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

  private forget(key: string): void {
    this.groups.delete(key);
    this.renewed.delete(key);
  }

  private dissolve(key: string): Position[] {
    const positions = this.groups.get(key)?.positions ?? [];
    this.forget(key);
    this.held -= positions.length;
    return positions;
  }
}

function newGroup(): Group {
  return { positions: [], attempts: 0, retryAfterMs: 0, triedAtMs: 0, dueAtMs: 0, isTrying: false };
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
