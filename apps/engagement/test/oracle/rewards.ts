import type { Reward } from '@podium/messages';
import type { FormulaReward, TaskReward } from '../../src/evaluation/definition';
import type { HistoryEvent } from '../../src/evaluation/history';
import type { Unpayable } from '../../src/evaluation/owed';
import { type Scope, aggregate, numberOf } from './conditions';
import { fine } from './converted-amounts';
import { constant, formatDecimal, one } from './exact-numbers';

/** The reward of an occurrence: as it is, or by formula (reading 15), which may give no amount. */
export function rewardOf(reward: TaskReward, decidedBy: HistoryEvent | null, scope: Scope): Reward | Unpayable {
  if (!('percent' in reward)) return reward;
  const base = baseOf(reward, decidedBy, scope);
  if (base === null) return { unpayable: 'amount_absent' };
  const currency = reward.currency ?? reward.convert_to;
  let amount = roundHalfUp(base * constant(reward.percent), 100n * one * fine, currencyDigits(currency));
  if (reward.floor !== undefined && amount < constant(reward.floor)) amount = constant(reward.floor);
  if (reward.cap !== undefined && amount > constant(reward.cap)) amount = constant(reward.cap);
  if (amount <= 0n) return { unpayable: 'amount_zero' };
  if (amount >= 10n ** 18n * one) return { unpayable: 'amount_too_large' };
  return { type: reward.type, amount: formatDecimal(amount), currency };
}

/** The value of which a percentage is paid, in units of an aggregate. */
function baseOf({ of, ...reward }: FormulaReward, decidedBy: HistoryEvent | null, scope: Scope): bigint | null {
  const { currency, convert_to } = reward;
  if ('sum' in of) return aggregate({ ...of, currency, convert_to, op: 'gte', value: '0' }, scope) ?? 0n;
  return decidedBy && numberOf({ attribute: of.attribute, currency, convert_to }, decidedBy, scope);
}

/** A fraction of billionths as billionths, rounded to this many digits after the point. */
function roundHalfUp(numerator: bigint, denominator: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(9 - digits);
  const doubled = 2n * numerator + denominator * unit;
  const step = 2n * denominator * unit;
  const units = doubled >= 0n ? doubled / step : -((-doubled + step - 1n) / step);
  return units * unit;
}

/** The digits after the point of the smallest unit of the currencies in worlds and examples (ISO 4217). */
const digitsOf: Readonly<Record<string, number>> = { EUR: 2, GBP: 2, USD: 2, JPY: 0, KWD: 3 };

function currencyDigits(currency: string): number {
  if (!Object.hasOwn(digitsOf, currency)) throw new TypeError(`the oracle does not know the digits of ${currency}`);
  return digitsOf[currency];
}
