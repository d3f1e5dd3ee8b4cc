import { Reward } from '@podium/messages';
import { aggregateParts, termOf, valueAt } from './compile-comparison';
import { CompileContext } from './condition-node';
import { Condition } from './condition';
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
  const { of } = reward;
  if ('sum' in of) {
    const window = compileWindow(of.window, context);
    const parts = { filter: of.sum, measure: 'sum', attribute: of.attribute, currency: reward.currency } as const;
    const term = termOf(parts, window, context);
    return { terms: [term], at: (moment) => formulaAmount(reward, valueAt(term, window, moment)) };
  }
  const event = eventOf(goal);
  const read = valueReader(context.specs, event, of.attribute, reward.currency);
  return {
    terms: [],
    at: (_moment, decidedBy) => {
      const value = decidedBy === null || decidedBy.name !== event ? null : read(decidedBy);
      return formulaAmount(reward, typeof value === 'bigint' ? value : null);
    },
  };
}

/** The order of docs/engine.md, reading 15: percentage, rounding half up to the currency's digits, floor, cap. */
function formulaAmount(reward: FormulaReward, value: bigint | null): Reward | Unpayable {
  if (value === null) return { unpayable: 'amount_absent' };
  let amount = percentOf(value, toBillionths(reward.percent), currencyDigits(reward.currency));
  if (reward.floor !== undefined && amount < toBillionths(reward.floor)) amount = toBillionths(reward.floor);
  if (reward.cap !== undefined && amount > toBillionths(reward.cap)) amount = toBillionths(reward.cap);
  if (amount <= 0n) return { unpayable: 'amount_zero' };
  return { type: reward.type, amount: formatDecimal(amount), currency: reward.currency };
}

function currencyDigits(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

function eventOf(goal: Condition): string {
  if ('count' in goal || 'sum' in goal || 'max' in goal || 'min' in goal || 'distinct' in goal)
    return aggregateParts(goal).filter.event;
  throw new TypeError('a formula of the deciding event was published for a goal that is no single comparison');
}
