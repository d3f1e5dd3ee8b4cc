import { TaskReward } from '../evaluation/definition';

/** What a budget counts: amounts of one currency or other unit, or quantities of one item. */
export function budgetUnit(reward: TaskReward): string {
  if ('item' in reward && reward.item !== undefined) return `item ${reward.item}`;
  const currency = 'percent' in reward ? (reward.currency ?? reward.convert_to) : reward.currency;
  return currency === undefined ? `type ${reward.type}` : `currency ${currency}`;
}
