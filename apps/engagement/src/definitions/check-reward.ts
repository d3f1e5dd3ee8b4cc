import { Reward, parseDecimal } from '@podium/messages';
import { isPlainText, plainTextRule } from '@podium/runtime/http';
import { MoneyCurrency } from '../evaluation/definition';
import { fieldsOf, malformed, refused } from './body-problems';
import { FilterCheck, NamedAttribute, quoted } from './check-filter';
import { moneyCurrencyOf } from './check-currency';
import { decimalOf } from './check-value';
import { WindowPlace, checkWindow } from './check-window';
import { requirePayable } from './require-payable';
import { Scalar, WrittenCondition, WrittenFilter, WrittenFormula } from './written-body';

/** What the check of a reward has to know of its task. */
export interface RewardContext {
  readonly goal: WrittenCondition;
  /** Whether the task pays members of a segment only. */
  readonly isEligibleOnly: boolean;
  readonly filters: FilterCheck;
  readonly place: WindowPlace;
}

/** Plain decimal of a fixed reward. */
export const amountPattern = '^[0-9]{1,18}(\\.[0-9]{1,9})?$';

/** Checks what a task pays: a fixed amount or a formula; throws a coded error that names the place. */
export function checkReward(value: unknown, context: RewardContext): Reward | WrittenFormula {
  const isFormula = typeof value === 'object' && value !== null && 'percent' in value;
  const reward = isFormula ? checkFormula(value, context) : checkFixed(value);
  requirePayable(reward);
  return reward;
}

function checkFixed(value: unknown): Reward {
  const { type, amount, currency, item } = fieldsOf(value, 'reward', ['type', 'amount', 'currency', 'item']);
  if (typeof amount !== 'string' || !new RegExp(amountPattern).test(amount) || parseDecimal(amount) === 0n)
    throw malformed(
      'reward.amount',
      'must be a text with a decimal above 0, with at most 18 digits before and 9 after the point; or state percent',
    );
  return {
    type: textOf(type, 'reward.type', 64),
    amount,
    ...(currency === undefined ? {} : { currency: textOf(currency, 'reward.currency', 64) }),
    ...(item === undefined ? {} : { item: textOf(item, 'reward.item', 255) }),
  };
}

function checkFormula(value: unknown, context: RewardContext): WrittenFormula {
  const fields = fieldsOf(value, 'reward', ['type', 'percent', 'of', 'currency', 'convert_to', 'floor', 'cap']);
  const { floor, cap } = fields;
  const limits = {
    ...(floor === undefined ? {} : { floor: decimalOf(floor, 'reward.floor', true) }),
    ...(cap === undefined ? {} : { cap: decimalOf(cap, 'reward.cap', true) }),
  };
  if (limits.floor !== undefined && limits.cap !== undefined && isAbove(limits.floor, limits.cap))
    throw malformed('reward.cap', 'must not be below floor');
  const type = textOf(fields.type, 'reward.type', 64);
  const percent = decimalOf(fields.percent, 'reward.percent', true);
  const base = checkBase(fields, context);
  return { type, percent, ...base, ...limits };
}

/** A percentage needs money, because only that has a currency. */
function checkBase(
  { of, ...fields }: Readonly<Record<string, unknown>>,
  context: RewardContext,
): Pick<WrittenFormula, 'of'> & MoneyCurrency {
  const { filters, place } = context;
  const { sum, attribute, window } = fieldsOf(of, 'reward.of', ['sum', 'attribute', 'window']);
  if (sum === undefined) {
    if (window !== undefined) throw malformed('reward.of.window', 'is for a sum');
    const named = filters.attribute(attribute, decidingEvent(context), 'reward.of.attribute');
    return { of: { attribute: named.name }, ...moneyOf(named, fields, place) };
  }
  const filter = filters.filter(sum, 'reward.of.sum');
  const named = filters.aggregated('sum', attribute, filter.event, 'reward.of.attribute');
  const checked = checkWindow(window, 'reward.of.window', place);
  return {
    of: { sum: filter, attribute: named.name, ...(checked === undefined ? {} : { window: checked }) },
    ...moneyOf(named, fields, place),
  };
}

function moneyOf(
  named: NamedAttribute,
  { currency, convert_to }: Readonly<Record<string, unknown>>,
  place: WindowPlace,
): MoneyCurrency {
  if (named.spec.currencyAttribute === undefined)
    throw refused('reward.of.attribute', `${quoted(named.name)} is not money: its contract names no currency for it`);
  return moneyCurrencyOf({ currency, convert_to }, named, 'reward', place);
}

/** The name of the event that decides; only goals that an event of one name decides have one (reading 15). */
function decidingEvent({ goal, isEligibleOnly }: RewardContext): string {
  const filter = soleFilter(goal);
  if (filter === null)
    throw refused(
      'reward.of',
      'a percentage of the deciding event needs a goal that is one count, sum, max or distinct',
    );
  if ('window' in goal && goal.window !== undefined && !('task' in goal.window))
    throw refused('goal.window', 'a percentage of the deciding event needs the default window; leave it out');
  if (isEligibleOnly)
    throw refused('eligible', 'a percentage of the deciding event is not possible with "eligible"; take it of a sum');
  return filter.event;
}

function soleFilter(goal: WrittenCondition): WrittenFilter | null {
  if ('count' in goal) return goal.count;
  if ('sum' in goal) return goal.sum;
  if ('max' in goal) return goal.max;
  return 'distinct' in goal ? goal.distinct : null;
}

function isAbove(left: Scalar, right: Scalar): boolean {
  return (parseDecimal(String(left)) ?? 0n) > (parseDecimal(String(right)) ?? 0n);
}

function textOf(value: unknown, path: string, maxBytes: number): string {
  if (!isPlainText(value, maxBytes)) throw malformed(path, plainTextRule(maxBytes));
  return value;
}
