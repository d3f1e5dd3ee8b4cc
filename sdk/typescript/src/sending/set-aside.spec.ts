import { encoded } from '../../test/events';
import type { EncodedEvent } from '../api/partner-event';
import { Position, Segment } from '../queue/segment';
import { SetAsideEvents } from './set-aside';

const segment = Segment.written('/nowhere/0-1.queue');

describe('SetAsideEvents', () => {
  let setAside: SetAsideEvents;
  let offset: number;

  beforeEach(() => {
    setAside = new SetAsideEvents(() => 0);
    offset = 0;
  });

  const place = (): Position => ({ segment, offset: (offset += 1), length: 1 });
  const refuse = (event: EncodedEvent, nowMs: number): void => setAside.add('user', event, place(), 60_000, nowMs);
  /** Begins a try that is due; false when none is. */
  const tries = (nowMs: number): boolean => {
    const due = setAside.due(nowMs, 10);
    setAside.begin(due);
    return due.length > 0;
  };

  it('doubles the time between tries of a user, and has one try under way', () => {
    const old = encoded('old', 'late');
    refuse(old, 0);
    const triedAtS: number[] = [];
    for (let nowS = 0; nowS < 1_000; nowS++)
      if (tries(nowS * 1000)) {
        triedAtS.push(nowS);
        expect(tries(nowS * 1000)).toBe(false);
        refuse(old, nowS * 1000);
      }
    expect(triedAtS).toEqual([60, 180, 420, 900]);
  });

  it('tries a user again with the next event, as early as the last answer allows', () => {
    const old = encoded('old', 'late');
    refuse(old, 0);
    for (const nowMs of [60_000, 180_000, 420_000]) {
      expect(tries(nowMs)).toBe(true);
      refuse(old, nowMs);
    }
    expect(setAside.nextDueMs()).toBe(900_000);
    expect(setAside.join(encoded('new', 'late'), place())).toBe(true);
    expect(setAside.nextDueMs()).toBe(480_000);
    expect(setAside.join(encoded('other', 'another'), place())).toBe(false);
  });

  it('tries all users in turn when more are due than can be tried, and one with a new event before them', () => {
    const triedOf = new Map<string, number>();
    const events = Array.from({ length: 30 }, (_, n) => encoded(`e${n}`, `user-${n}`));
    const byOffset = new Map<number, EncodedEvent>();
    const refuseNow = (event: EncodedEvent): void => {
      const position = place();
      byOffset.set(position.offset, event);
      setAside.add('user', event, position, 0, 0);
    };
    const round = (): string[] => {
      const due = setAside.due(3_600_000, 10);
      setAside.begin(due);
      const tried = due.map(({ position }) => byOffset.get(position.offset)!);
      for (const event of tried) {
        triedOf.set(event.platformUserId, (triedOf.get(event.platformUserId) ?? 0) + 1);
        refuseNow(event);
      }
      return tried.map(({ id }) => id);
    };
    for (const event of events) refuseNow(event);
    for (let n = 0; n < 3; n++) round();
    expect([triedOf.size, ...new Set(triedOf.values())]).toEqual([30, 1]);
    const position = place();
    byOffset.set(position.offset, encoded('new', 'user-25'));
    setAside.join(encoded('new', 'user-25'), position);
    expect(round()).toContain('new');
  });

  it.each([1, 2])('tries users without new events too when %i can be tried at once', (limit) => {
    for (let n = 0; n < 100; n++) refuse(encoded(`e${n}`, `u${n}`), 0);
    const tried = new Set<string>();
    for (let nowS = 60; nowS < 1_200; nowS++) {
      // As many new events of the first users as there are tries.
      if (nowS % 60 === 0)
        for (let n = 0; n < 60 * limit; n++) setAside.join(encoded(`n${n}-${nowS}`, `u${n}`), place());
      const due = setAside.due(nowS * 1000, limit);
      setAside.begin(due);
      for (const { key } of due) {
        tried.add(key);
        refuse(encoded('again', key.replace('user:', '')), nowS * 1000);
      }
    }
    expect(tried.size).toBe(100);
  });

  it('costs a round no more when many users wait who are not due', () => {
    for (let n = 0; n < 100_000; n++) refuse(encoded(`e${n}`, `u${n}`), n);
    const startedMs = performance.now();
    for (let round = 0; round < 1_000; round++) {
      expect(setAside.due(60_000, 10)).toHaveLength(1);
      expect(setAside.nextDueMs()).toBe(60_000);
    }
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('counts refusals of events that were under way together as one attempt', () => {
    for (const id of ['a', 'b', 'c']) refuse(encoded(id, 'late'), 0);
    expect([setAside.size, setAside.nextDueMs()]).toEqual([3, 60_000]);
  });

  it('releases all events of a user when one of them is accepted', () => {
    for (const id of ['a', 'b', 'c']) refuse(encoded(id, 'late'), 0);
    expect(tries(60_000)).toBe(true);
    expect(setAside.accepted(encoded('c', 'late')).map((position) => position.offset)).toEqual([1, 2]);
    expect([setAside.size, setAside.nextDueMs()]).toEqual([0, undefined]);
  });

  it('tries another event when one was refused for what says nothing about its user', () => {
    for (const id of ['a', 'b']) refuse(encoded(id, 'late'), 0);
    for (const left of [1, 0]) {
      expect(tries(60_000)).toBe(true);
      setAside.forgetTry(encoded('b', 'late'), 'user');
      expect(setAside.size).toBe(left);
    }
    expect(tries(60_000)).toBe(false);
  });

  it('has the next event of a group due after one that cannot be read, and no empty group', () => {
    for (const id of ['a', 'b']) refuse(encoded(id, 'late'), 0);
    for (const [left, dueMs] of [
      [1, 60_000],
      [0, undefined],
    ]) {
      setAside.drop(setAside.due(60_000, 10));
      expect([setAside.size, setAside.nextDueMs()]).toEqual([left, dueMs]);
    }
    expect(setAside.join(encoded('c', 'late'), place())).toBe(false);
  });
});
