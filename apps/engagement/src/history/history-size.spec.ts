import { createHash } from 'node:crypto';
import { readPage } from '../../test/documented-examples';
import { historiesOf } from '../../test/evaluated-world';
import {
  at,
  atLeast,
  deposit,
  event,
  lifetime,
  link,
  segment,
  sinceLink,
  task,
  taskWindow,
} from '../../test/oracle/example-parts';
import { Condition } from '../evaluation/condition';
import { EngineDefinition, applicationDelayS, horizonS } from '../evaluation/definition';
import { HistoryEvent } from '../evaluation/history';
import { packHistory } from './history-codec';

const months = [5, 6, 7, 8, 9, 10];
const activeDays = [2, 5, 9, 12, 16, 19, 23, 26];
/** What has been merged, as in loaded-histories.ts. */
const finalTo = at('10-26') - horizonS - applicationDelayS;

const euros: Condition = {
  sum: deposit,
  attribute: 'amount',
  currency: 'EUR',
  window: taskWindow,
  op: 'gte',
  value: '50',
};

const five: EngineDefinition[] = [
  segment({ condition: atLeast(3, deposit, { rolling: 'P30D' }) }, { definitionId: 'active' }),
  segment({ condition: atLeast(1, deposit, lifetime) }, { definitionId: 'depositors' }),
  segment({ condition: { streak: deposit, every: 'week', op: 'gte', value: '4' } }, { definitionId: 'streak' }),
  task({ goal: euros, repeat: { per: 'month' } }, { definitionId: 'monthly' }),
  task({ goal: atLeast(10, deposit, sinceLink), repeat: { every: '10' } }, { definitionId: 'tenth' }),
];

const halfYear = segment({ condition: atLeast(30, deposit, { rolling: 'P180D' }) }, { definitionId: 'half-year' });

describe('the size of a packed history', () => {
  it.each([
    ['5 definitions, one event on each active day', five, 1],
    ['the same and a window of 180 days', [...five, halfYear], 1],
    ['5 definitions, three events on each active day', five, 3],
  ])('is what docs/engine.md states: %s', (name, definitions, perDay) => {
    const row = new RegExp(`^\\| ${name} +\\| +([0-9,]+) bytes`, 'm').exec(readPage());
    expect(row?.[1]).toBe(bytesOf(definitions, perDay).toLocaleString('en'));
  });
});

function bytesOf(definitions: readonly EngineDefinition[], perDay: number): number {
  const links = [link('04-01', null, textOf('account').slice(0, 20))];
  const events = months.flatMap((month) =>
    activeDays.flatMap((day) => Array.from({ length: perDay }, (_, i) => depositOf(month, day, i, links[0]))),
  );
  return packHistory(historiesOf({ definitions, events, links, rates: [], horizonS }, events, finalTo).get('deposit')!)
    .length;
}

/** With an id of 36 characters and 3 attributes, received half a minute later. */
function depositOf(month: number, day: number, i: number, of: ReturnType<typeof link>): HistoryEvent {
  const date = `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const attributes = { amount: `${20 + day}.50`, currency: 'EUR', method: 'card' };
  const rest = { link: of, receivedAt: `${date} 1${i}:00:30` };
  return event(textOf(`${date} ${i}`).slice(0, 36), 'deposit', `${date} 1${i}:00:00`, attributes, rest);
}

function textOf(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}
