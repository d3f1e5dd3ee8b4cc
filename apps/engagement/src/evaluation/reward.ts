import { Reward, fractionDigits } from '@podium/messages';
import { aggregateParts, termOf, valueAt } from './compile-comparison';
import { convertedDigits, convertedReader, convertedValue } from './converted-value';
import { CompileContext } from './condition-node';
import { Condition } from './condition';
import { currencyDigits } from './currency-digits';
import { FormulaReward, TaskReward } from './definition';
import { valueReader } from './event-values';
import { formatDecimal, percentOf, toBillionths } from './exact-decimal';
import { HistoryEvent } from './history';
import { Moment } from './moment';
import { Unpayable } from './owed';
import { Term } from './terms';
import { compileWindow } from './windows';

/** What an occurrence pays. */
export interface CompiledReward {
  readonly terms: readonly Term[];
  /** The reward of an occurrence that is reached at an instant, decided by an event or (null) by time. */
  at(moment: Moment, decidedBy: HistoryEvent | null): Reward | Unpayable;
}

/** Compiles a reward; `goal` names the event whose attribute a formula may take. */
export function compileReward(reward: TaskReward, goal: Condition, context: CompileContext): CompiledReward {
  if (!('percent' in reward)) return { terms: [], at: () => reward };
  const { terms, at } = compileBase(reward, goal, context);
  return { terms, at: (moment, decidedBy) => formulaAmount(reward, at(moment, decidedBy)) };
}

/** The money of which a formula pays a percentage: in billionths, or unrounded if it is converted; null where it is absent. */
interface CompiledBase {
  readonly terms: readonly Term[];
  at(moment: Moment, decidedBy: HistoryEvent | null): bigint | null;
}

function compileBase(reward: FormulaReward, goal: Condition, context: CompileContext): CompiledBase {
  const { of, currency, convert_to: convertTo } = reward;
  const { attribute } = of;
  if ('sum' in of) {
    const window = compileWindow(of.window, context);
    const parts = { filter: of.sum, measure: 'sum', attribute } as const;
    if (convertTo !== undefined) {
      const { terms, valueAt: convertedAt } = convertedValue({ ...parts, convertTo }, window, context);
      return { terms, at: convertedAt };
    }
    const term = termOf({ ...parts, currency }, window, context);
    return { terms: [term], at: (moment) => valueAt(term, window, moment) };
  }
  const event = eventOf(goal);
  const read =
    convertTo === undefined
      ? valueReader(context.specs, event, attribute, currency)
      : convertedReader(event, { attribute, convertTo }, context);
  return {
    terms: [],
    at: (_moment, decidedBy) => {
      const value = decidedBy === null || decidedBy.name !== event ? null : read(decidedBy);
      return typeof value === 'bigint' ? value : null;
    },
  };
}

/** Records of awards have amounts of at most 18 digits before the point. */
const largestAmount = toBillionths('999999999999999999.999999999');

/** The order of docs/engine.md, reading 15: percentage, rounding half up to the currency's digits, floor, cap. */
function formulaAmount(reward: FormulaReward, value: bigint | null): Reward | Unpayable {
  if (value === null) return { unpayable: 'amount_absent' };
  const { type, percent, floor, cap, convert_to: convertTo } = reward;
  const currency = reward.currency ?? reward.convert_to;
  const valueDigits = convertTo === undefined ? fractionDigits : convertedDigits;
  let amount = percentOf(value, toBillionths(percent), currencyDigits(currency), valueDigits);
  if (floor !== undefined && amount < toBillionths(floor)) amount = toBillionths(floor);
  if (cap !== undefined && amount > toBillionths(cap)) amount = toBillionths(cap);
  if (amount <= 0n) return { unpayable: 'amount_zero' };
  if (amount > largestAmount) return { unpayable: 'amount_too_large' };
  return { type, amount: formatDecimal(amount), currency };
}

/** The name of the event that decides a goal whose reward is a percentage of that event. */
export function eventOf(goal: Condition): string {
  if ('count' in goal || 'sum' in goal || 'max' in goal || 'min' in goal || 'distinct' in goal)
    return aggregateParts(goal).filter.event;
  throw new TypeError('a formula of the deciding event was published for a goal that is no single comparison');
}
