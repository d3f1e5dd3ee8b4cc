import type { SeededRandom } from '@podium/testing/seeded-random';
import type { DefinitionKind } from '../../src/definitions/definition.entity';

/** A change that an operator makes; `definition` is its name in the plan. */
export type PlannedChange = { readonly definition: string; readonly kind: DefinitionKind } & (
  | {
      readonly does: 'publish';
      /** As operators write it, with `$name` for the id of a segment. */
      readonly body: object;
      /** As the operator states it, Unix seconds; null: left out. */
      readonly statedInForceFrom: number | null;
      /** Unix seconds from which on the version must be in force. */
      readonly inForceFrom: number;
    }
  | { readonly does: 'pause' | 'resume' }
  | { readonly does: 'end'; /** Unix seconds. */ readonly endedAt: number }
);

/** A definition with the bodies of its versions. */
interface PlannedDefinition {
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly bodies: readonly object[];
  readonly end?: 'ended' | 'ended while paused';
}

const lifetime = { window: { lifetime: true } };
const deposits = (value: number): object => ({ count: { event: 'deposit' }, ...lifetime, op: 'gte', value });
const bets = (value: number, window: object = { lifetime: true }): object => ({
  ...{ count: { event: 'bet' }, window },
  ...{ op: 'gte', value },
});
const amount = (value: string, window: object): object => ({
  ...{ sum: { event: 'deposit' }, attribute: 'amount', window },
  ...{ op: 'gte', value },
});
const games = { distinct: { event: 'bet' }, attribute: 'game', ...lifetime, op: 'gte', value: 2 };
const verified = { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] };
const quiet = { absent: { event: 'bet' }, window: { rolling: 'P1D' } };
const member = (name: string): object => ({ in_segment: `$${name}` });

function definitionsOf(choices: SeededRandom): PlannedDefinition[] {
  const active = [
    ...[deposits(choices.whole(1, 4)), { not: deposits(choices.whole(2, 5)) }, games, verified, quiet],
    bets(choices.whole(1, 2), { rolling: `PT${choices.whole(2, 7)}H` }),
    bets(choices.whole(1, 2), { calendar: 'day' }),
    amount('60', { rolling: 'P2D' }),
    { all: [deposits(2), { not: bets(2, { rolling: 'PT3H' }) }] },
    { any: [verified, amount('150', { lifetime: true })] },
  ];
  const anyActive = (): object => ({
    condition: choices.pick(active),
    zone: choices.pick(['UTC', 'Europe/Riga']),
  });
  const segment = (name: string, ...bodies: object[]): PlannedDefinition => ({ name, kind: 'segment', bodies });
  const conditions = (...all: object[]): object[] => all.map((condition) => ({ condition }));
  /** Each version pays another amount, so that an award shows which version it is from. */
  const task = (name: string, first: object, ...later: object[]): PlannedDefinition => {
    const bodies = [first, ...later].map((changed, index) => ({
      ...{ claw_back: 'always', ...first, ...changed },
      reward: { type: 'points', amount: String(index + 1) },
    }));
    return { name, kind: 'task', bodies };
  };
  const daily = { repeat: { per: 'day' } };
  const once = { repeat: { once: true } };
  return [
    segment('active', anyActive(), anyActive(), anyActive(), anyActive()),
    // True for whoever has an event of each name, whatever version is in force.
    segment(
      'steady',
      ...conditions(deposits(1), bets(1), { count: { event: 'kyc' }, ...lifetime, op: 'gte', value: 1 }),
    ),
    segment(
      'combined',
      ...conditions(
        { all: [member('active'), bets(1)] },
        { any: [member('active'), member('steady')] },
        { all: [member('steady'), { not: member('active') }] },
      ),
    ),
    { ...segment('left', ...conditions({ not: deposits(3) }, deposits(1))), end: 'ended while paused' },
    { ...segment('checked', ...conditions(verified, quiet, games)), end: 'ended' },
    task('fewer deposits', { ...once, goal: deposits(4) }, { goal: deposits(1) }, { goal: deposits(2) }),
    task(
      'every deposit',
      { goal: { count: { event: 'deposit' }, op: 'gte', value: 1 }, repeat: { every: 2 }, max_per_user: 300 },
      {},
      { repeat: { every: 1 } },
      { goal: { count: { event: 'deposit' }, op: 'gte', value: 2 } },
    ),
    task(
      'bets of a day',
      { ...daily, goal: { count: { event: 'bet' }, op: 'gte', value: 2 }, eligible: '$active' },
      { eligible: '$combined' },
      { zone: 'Europe/Riga' },
      { goal: { count: { event: 'bet' }, op: 'gte', value: 1 } },
    ),
    task(
      'no bet for hours',
      { ...daily, goal: { all: [deposits(1), { not: bets(1, { rolling: 'PT3H' }) }] } },
      { goal: { all: [deposits(2), { not: bets(2, { rolling: 'PT2H' }) }] } },
      { goal: { all: [deposits(1), quiet] } },
    ),
    task('members', { ...daily, goal: member('active') }, { goal: member('combined') }, { goal: member('checked') }),
    task(
      'every amount',
      { goal: amount('50', { task: true }), repeat: { every: '50' }, max_per_user: 300, max_per_event: 2 },
      { repeat: { every: '30' } },
      { goal: amount('20', { since: 'link' }) },
    ),
    task(
      'one after the other',
      { ...once, goal: { sequence: [{ event: 'deposit' }, { event: 'bet' }], within: 'PT4H' } },
      { goal: { sequence: [{ event: 'bet' }, { event: 'deposit' }], within: 'PT1H' } },
      { goal: { streak: { event: 'bet' }, every: 'day', op: 'gte', value: 2 } },
    ),
    { ...task('games', { ...once, goal: games }, {}, { goal: { ...games, value: 3 } }), end: 'ended' },
    task('kept', { ...daily, claw_back: 'none', goal: { all: [verified, deposits(1)] } }, { goal: verified }),
  ];
}

/** The changes of each step. */
export function planChanges(
  choices: SeededRandom,
  clock: readonly number[],
  midnightStep: number,
): Map<number, PlannedChange[]> {
  const changes = new Map<number, PlannedChange[]>();
  const add = (step: number, change: PlannedChange): void =>
    void changes.set(step, [...(changes.get(step) ?? []), change]);
  for (const { name, kind, bodies, end } of definitionsOf(choices)) {
    const of = { definition: name, kind };
    let inForceFrom = 0;
    // A definition is published after the segments that it names.
    let step = kind === 'segment' || choices.chance(0.6) ? 1 : choices.whole(2, 4);
    for (const [index, body] of bodies.entries()) {
      if (index > 0) step += choices.chance(0.25) ? choices.whole(0, 1) : choices.whole(4, 11);
      const isAtMidnight = index > 0 && step <= midnightStep && step + 8 > midnightStep && !hasOtherDays(body);
      if (isAtMidnight) step = midnightStep;
      if (step > clock.length - 14) break;
      const stated = index === 0 ? null : statedInForceFrom(choices, clock[step], inForceFrom, isAtMidnight);
      inForceFrom = stated ?? (index === 0 ? clock[step] : nextTenMinutes(clock[step]));
      add(step, { ...of, does: 'publish', body, statedInForceFrom: stated, inForceFrom });
    }
    const pausedFrom = choices.whole(5, clock.length - 14);
    if (end === 'ended while paused') {
      add(pausedFrom, { ...of, does: 'pause' });
      add(clock.length - 10, { ...of, does: 'end', endedAt: nextTenMinutes(clock[clock.length - 10]) });
    } else {
      if (choices.chance(0.7)) {
        add(pausedFrom, { ...of, does: 'pause' });
        add(pausedFrom + choices.whole(1, 7), { ...of, does: 'resume' });
      }
      const lastStep = clock.length - choices.whole(3, 6);
      if (end === 'ended') add(lastStep, { ...of, does: 'end', endedAt: nextTenMinutes(clock[lastStep]) });
    }
  }
  return changes;
}

/** Null where the operator leaves it out. */
function statedInForceFrom(choices: SeededRandom, nowS: number, afterS: number, isAtMidnight: boolean): number | null {
  const midnightS = Math.ceil(nowS / 86_400) * 86_400;
  if (isAtMidnight && midnightS > afterS) return midnightS;
  if (choices.chance(0.3) && nextTenMinutes(nowS) > afterS) return null;
  const leadS = choices.pick([600, 601, choices.whole(600, 5_400), choices.whole(3_600, 14_400)]);
  return Math.max(nowS + leadS, afterS + choices.whole(1, 3_600));
}

/** The first full ten minutes that are ten minutes ahead (docs/engine.md). */
function nextTenMinutes(nowS: number): number {
  return Math.ceil((nowS + 600) / 600) * 600;
}

/** Whether the days of a version begin at other seconds than those of UTC. */
function hasOtherDays(body: object): boolean {
  return 'zone' in body && body.zone !== 'UTC';
}
