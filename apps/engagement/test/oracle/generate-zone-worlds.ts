import fc from 'fast-check';
import type { Condition } from '../../src/evaluation/condition';
import type { DefinitionVersion, TaskBody, TaskDefinition } from '../../src/evaluation/definition';
import type { HistoryEvent } from '../../src/evaluation/history';
import { specs } from './generate-attributes';
import { period } from './generate-conditions';
import type { World } from './world';

const dayS = 86_400;
const tenMinutesS = 600;
const zones = ['UTC', 'Europe/Riga', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const fromS = Date.parse('2026-11-04T20:00:00Z') / 1000;
const link = { linkedAt: fromS - 2 * dayS, unlinkedAt: null, account: 'account-1' };

/**
 * A task that pays in each day, week or month, by time alone, of zones that its versions change within three days. Random worlds
 * seldom have such changes.
 */
export function zoneWorld(): fc.Arbitrary<World> {
  return fc
    .record({
      per: fc.oneof({ weight: 4, arbitrary: fc.constant<'day'>('day') }, { weight: 1, arbitrary: period }),
      zones: fc.array(fc.constantFrom(...zones), { minLength: 2, maxLength: 3 }),
      begins: fc
        .uniqueArray(fc.integer({ min: 1, max: (3 * dayS) / tenMinutesS }), { minLength: 2, maxLength: 2 })
        .map((steps) => steps.sort((a, b) => a - b)),
      goal: fc.constantFrom(...goals),
      happenAfterS: fc.array(fc.integer({ min: 0, max: 3 * dayS }), { minLength: 1, maxLength: 4 }),
    })
    .map(({ per, zones: chosen, begins, goal, happenAfterS }) => {
      let generation = 0;
      const versions = chosen.map((zone, at): DefinitionVersion<TaskBody> => {
        if (zone !== chosen[at - 1]) generation++;
        const inForceFrom = at === 0 ? fromS - dayS : fromS + begins[at - 1] * tenMinutesS;
        return { version: at + 1, generation, inForceFrom, body: { ...taskBody, goal, zone, repeat: { per } } };
      });
      const task: TaskDefinition = { ...common, kind: 'task', definitionId: 'task-1', versions };
      const events = happenAfterS.map((afterS, at) => depositAt(fromS + afterS, at));
      return { definitions: [task], links: [link], events, rates: [], horizonS: 35 * dayS };
    });
}

const common = { platform: 'acme', organizerId: 'organizer-1', specs, paused: false, endedAt: null };

const deposits = { event: 'deposit', where: [] };
const goals: readonly Condition[] = [
  { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
  { not: { count: deposits, window: { rolling: 'PT2H' }, op: 'gte', value: '1' } },
  { not: { count: deposits, window: { rolling: 'P1D' }, op: 'gte', value: '2' } },
];

const taskBody: Omit<TaskBody, 'goal' | 'zone' | 'repeat'> = {
  reward: { type: 'points', amount: '1' },
  claw_back: 'none',
  max_per_event: 10,
};

function depositAt(createdAt: number, at: number): HistoryEvent {
  const { linkedAt, account } = link;
  const times = { createdAt, receivedAt: createdAt, linkedAt };
  return { id: `e${at}`, name: 'deposit', ...times, account, contractVersion: 1, attributes: {} };
}
