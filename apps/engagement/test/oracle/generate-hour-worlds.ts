import fc from 'fast-check';
import type { Condition } from '../../src/evaluation/condition';
import type { DefinitionVersion, EngineDefinition, TaskBody } from '../../src/evaluation/definition';
import type { HistoryEvent, LinkPeriod } from '../../src/evaluation/history';
import { asSet, specs } from './generate-attributes';
import type { World } from './world';

const [minuteS, hourS, dayS] = [60, 3_600, 86_400];
/** The end of an hour, at which deposits leave windows. */
const turnS = Date.parse('2026-11-05T12:00:00Z') / 1000;
/** How far an event may be ahead of the clock. */
const aheadS = 300;

/**
 * A user's deposits of three hours, at whose end the first of them leave windows, and definitions that compare these windows. Shortly
 * after that end something else takes effect that was known before: an event ahead of the clock, a link, a version, or the end of a
 * segment. Random worlds seldom have that.
 */
export function hourWorld(): fc.Arbitrary<World> {
  return links
    .chain((linked) => fc.record({ definitions, links: fc.constant(linked), events: eventsOf(linked) }))
    .map((made) => ({ ...made, rates: [], horizonS: 35 * dayS }));
}

const common = { platform: 'acme', organizerId: 'organizer-1', specs, paused: false };
const taskBody: Omit<TaskBody, 'goal' | 'repeat'> = {
  ...{ zone: 'UTC', reward: { type: 'points', amount: '1' }, claw_back: 'none', max_per_event: 10 },
};

/** Full 10 minutes from the end of the hour on. */
const soon = fc.constantFrom(0, 10).map((minutes) => turnS + minutes * minuteS);

const falling = fc
  .record({ rolling: fc.constantFrom('PT2H', 'PT2H', 'PT3H'), value: fc.constantFrom('1', '2', '2', '3') })
  .map(({ rolling, value }): Condition => ({ ...countOf('deposit'), window: { rolling }, op: 'gte', value }));

/** What something that takes effect changes. */
const changing = fc.constantFrom<Condition>(
  { ...countOf('login'), window: { lifetime: true }, op: 'gte', value: '1' },
  { ...countOf('login'), window: { lifetime: true }, op: 'gte', value: '1' },
  { ...countOf('bet'), window: { since: 'link' }, op: 'gte', value: '1' },
  { in_segment: 'segment-1' },
  { in_segment: 'segment-1' },
);

function maybeNegated(part: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc.oneof(
    part,
    part.map((not): Condition => ({ not })),
  );
}

/** Both of them, or any. */
const both = fc
  .record({ one: maybeNegated(changing), other: maybeNegated(falling), isAll: fc.boolean() })
  .map(({ one, other, isAll }): Condition => {
    const parts = asSet([one, other]);
    return isAll ? { all: parts } : { any: parts };
  });

const definitions: fc.Arbitrary<EngineDefinition[]> = fc
  .record({
    endedAt: fc.oneof(fc.constant(null), soon),
    condition: both,
    versions: fc.array(both, { minLength: 1, maxLength: 2 }),
    eligible: falling,
    goal: both,
    repeat: fc.constantFrom<TaskBody['repeat']>({ once: true }, { per: 'day' }),
    inForceFrom: soon,
  })
  .map(({ endedAt, condition, versions, eligible, goal, repeat, inForceFrom }): EngineDefinition[] => {
    const everybody: Condition = { ...countOf('kyc_status'), window: { lifetime: true }, op: 'gte', value: '0' };
    const logins: Condition = { ...countOf('login'), window: { lifetime: true }, op: 'gte', value: '1' };
    return [
      segment('segment-1', [everybody], endedAt),
      segment('segment-2', [condition], null),
      segment('segment-3', versions, null, inForceFrom),
      segment('segment-4', [eligible], null),
      task('task-1', { ...taskBody, goal, repeat }),
      task('task-2', { ...taskBody, goal: logins, repeat: { every: '1' }, max_per_user: 9, eligible: 'segment-4' }),
    ];
  });

function segment(
  definitionId: string,
  conditions: readonly Condition[],
  endedAt: number | null,
  laterFrom = turnS,
): EngineDefinition {
  const versions = conditions.map((condition, at) => ({
    ...{ version: at + 1, generation: 1, inForceFrom: at === 0 ? turnS - dayS : laterFrom },
    body: { condition, zone: 'UTC' },
  }));
  return { ...common, kind: 'segment', definitionId, endedAt, versions };
}

function task(definitionId: string, body: TaskBody): EngineDefinition {
  const version: DefinitionVersion<TaskBody> = { version: 1, generation: 1, inForceFrom: turnS - dayS, body };
  return { ...common, kind: 'task', definitionId, endedAt: null, versions: [version] };
}

function countOf(event: string): { readonly count: { readonly event: string; readonly where: [] } } {
  return { count: { event, where: [] } };
}

/** One link from before, or a second one that begins shortly after the end of the hour. */
const links: fc.Arbitrary<LinkPeriod[]> = fc
  .oneof(
    fc.constant(null),
    fc.record({
      linkedAt: fc.integer({ min: 0, max: aheadS }).map((afterS) => turnS + afterS),
      unlinkedAt: fc.integer({ min: -4 * hourS, max: 0 }).map((beforeS) => turnS + beforeS),
    }),
  )
  .map((second): LinkPeriod[] => {
    const first = { linkedAt: turnS - dayS, unlinkedAt: second?.unlinkedAt ?? null, account: 'account-1' };
    return second === null ? [first] : [first, { ...second, unlinkedAt: null, account: 'account-2' }];
  });

function eventsOf([first]: readonly LinkPeriod[]): fc.Arbitrary<HistoryEvent[]> {
  const seconds = (fromS: number, toS: number): fc.Arbitrary<number> =>
    fc.integer({ min: turnS + fromS, max: turnS + toS });
  const before = fc.record({
    name: fc.constantFrom('deposit', 'deposit', 'deposit', 'deposit', 'bet', 'login'),
    createdAt: fc.oneof(seconds(-3 * hourS, -hourS), seconds(-aheadS, -1)),
    delayS: fc.integer({ min: 0, max: 5 }),
  });
  const ahead = fc.record({
    name: fc.constantFrom('login', 'login', 'login', 'bet', 'deposit'),
    createdAt: seconds(0, aheadS / 2),
    delayS: fc.integer({ min: -aheadS, max: -1 }),
  });
  return fc
    .tuple(
      fc.array(before, { minLength: 4, maxLength: 9, size: 'max' }),
      fc.array(ahead, { minLength: 1, maxLength: 2 }),
    )
    .map(([some, others]) =>
      [...some, ...others].map(({ name, createdAt, delayS }, at) => ({
        ...{ id: `e${at}`, name, createdAt, receivedAt: createdAt + delayS, linkedAt: first.linkedAt },
        ...{ account: first.account, contractVersion: 1, attributes: {} },
      })),
    );
}
