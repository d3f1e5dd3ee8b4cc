import { Condition } from './condition';
import { holdsForNewUsers, holdsWithoutEvents } from './holds-without-events';

const filter = { event: 'deposit', where: [] };
const count = (op: 'gte' | 'lt' | 'ne', value: string): Condition => ({
  count: filter,
  window: { task: true },
  op,
  value,
});
const least: Condition = { min: filter, attribute: 'amount', window: { task: true }, op: 'lt', value: '5' };
const absent: Condition = { absent: filter, window: { rolling: 'P14D' } };
const member: Condition = { in_segment: 's' };
const latest: Condition = { latest: 'kyc', where: [] };

describe('goals that may hold without events (reading 1)', () => {
  it.each<[Condition, boolean]>([
    [count('gte', '1'), false],
    [count('gte', '0'), true],
    [count('lt', '1'), true],
    [count('ne', '0'), false],
    [{ not: count('gte', '1') }, true],
    [least, false],
    [{ not: least }, true],
    [{ sequence: [filter, filter], within: 'P1D' }, false],
    [{ streak: filter, every: 'day', op: 'gte', value: '2' }, false],
    [absent, true],
    [{ not: absent }, true],
    [latest, true],
    [member, true],
    [{ not: member }, true],
    [{ all: [member, count('gte', '1')] }, false],
    [{ all: [member, absent] }, true],
    [{ any: [member, count('gte', '1')] }, true],
    [{ any: [least, count('gte', '1')] }, false],
    [{ not: { all: [member, count('lt', '1')] } }, true],
    [{ not: { any: [member, count('lt', '1')] } }, false],
  ])('%j: %s', (goal, holds) => {
    expect(holdsWithoutEvents(goal)).toBe(holds);
  });
});

describe('conditions that may hold for users without any event', () => {
  it.each<[Condition, boolean]>([
    [latest, false],
    [{ not: latest }, true],
    [{ any: [latest, count('gte', '1')] }, false],
    [{ all: [latest, member] }, false],
    [{ any: [latest, member] }, true],
    [absent, true],
    [count('lt', '1'), true],
  ])('%j: %s', (condition, holds) => {
    expect(holdsForNewUsers(condition)).toBe(holds);
  });
});
