import { Reward, fractionDigits, parseDecimal } from '@podium/messages';
import { currencyDigits, isKnownCurrency } from '../evaluation/currency-digits';
import { TaskReward } from '../evaluation/definition';
import { malformed } from './body-problems';
import { WrittenFormula } from './written-body';

/**
 * Requires that the amounts which a reward pays as they are have no more digits than the currency: such an award would be rejected, and
 * its occurrence not be paid again. Throws a coded error that names the place.
 */
export function requirePayable(reward: Reward | WrittenFormula | TaskReward): void {
  if ('percent' in reward) {
    const currency = reward.currency ?? reward.convert_to;
    requireDigits('reward.floor', reward.floor, currency);
    requireDigits('reward.cap', reward.cap, currency);
    return;
  }
  // That of a fixed amount is any text, also a unit of the partner's own, such as BTC, whose digits nobody knows here.
  const { amount, currency } = reward;
  if (currency !== undefined && isKnownCurrency(currency)) requireDigits('reward.amount', amount, currency);
}

function requireDigits(path: string, amount: unknown, currency: string): void {
  if (amount === undefined) return;
  const digits = currencyDigits(currency);
  const unit = 10n ** BigInt(fractionDigits - digits);
  if ((parseDecimal(String(amount)) ?? 0n) % unit === 0n) return;
  throw malformed(path, `must have at most ${digits} digits after the point, as amounts in ${currency}`);
}
