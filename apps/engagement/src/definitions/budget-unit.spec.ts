import { TaskReward } from '../evaluation/definition';
import { budgetUnit } from './budget-unit';

const percent = { type: 'money', percent: '5', of: { attribute: 'amount' } } as const;

describe('the unit of a budget', () => {
  it.each<[string, TaskReward, string]>([
    ['money', { type: 'money', amount: '1', currency: 'EUR' }, 'currency EUR'],
    ['a percentage in its currency', { ...percent, currency: 'EUR' }, 'currency EUR'],
    ['a percentage in the currency to which it converts', { ...percent, convert_to: 'EUR' }, 'currency EUR'],
    ['an item', { type: 'item', amount: '2', item: 'ticket' }, 'item ticket'],
    ['anything else', { type: 'points', amount: '1' }, 'type points'],
  ])('of %s', (_name, reward, unit) => expect(budgetUnit(reward)).toBe(unit));
});
