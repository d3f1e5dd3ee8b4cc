import { fitRewards } from '../budgets/fit-rewards';
import { Budget } from '../evaluation/definition';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { AwardToPrice, PricedAwards } from './trial-results.store';

/** What was paid before a page of awards, decimals in units of the reward. */
export interface PaidBefore {
  readonly total: string;
  /** By UTC date. */
  readonly days: ReadonlyMap<string, string>;
}

/**
 * Adds up awards in the order of (`reachedAt`, user) against a budget: one that does not fit is withheld, a smaller one after
 * it may fit. The day of a budget is the UTC day of `reachedAt`, on which the engine would issue. `awards` are not empty.
 */
export function priceAwards(awards: readonly AwardToPrice[], budget: Budget, before: PaidBefore): PricedAwards {
  const total = budget.total === undefined ? null : toBillionths(budget.total);
  const perDay = budget.per_day === undefined ? null : toBillionths(budget.per_day);
  let paidInAll = toBillionths(before.total);
  const days: PricedAwards['days'][number][] = [];
  const withheld: PricedAwards['withheld'][number][] = [];
  let budgetEndedOn: string | null = null;
  for (const [day, own] of byDay(awards)) {
    const units = own.map(({ amount }) => toBillionths(amount));
    const paidBefore = toBillionths(before.days.get(day) ?? '0');
    const { reasons } = fitRewards(units, {
      total: total === null ? null : total - paidInAll,
      day: perDay === null ? null : perDay - paidBefore,
    });
    let [cost, paid, left] = [0n, 0n, 0];
    for (const [index, reason] of reasons.entries()) {
      cost += units[index];
      if (reason === null) paid += units[index];
      else {
        left++;
        withheld.push({ place: own[index], reason });
        if (reason === 'budget_total') budgetEndedOn ??= day;
      }
    }
    paidInAll += paid;
    days.push({ day, awards: own.length, cost: formatDecimal(cost), withheld: left, paid: formatDecimal(paid) });
  }
  return { days, withheld, budgetEndedOn, last: awards[awards.length - 1] };
}

function byDay(awards: readonly AwardToPrice[]): Map<string, AwardToPrice[]> {
  const days = new Map<string, AwardToPrice[]>();
  for (const award of awards) {
    const day = new Date(award.reachedAt * 1000).toISOString().slice(0, 10);
    const known = days.get(day);
    if (known) known.push(award);
    else days.set(day, [award]);
  }
  return days;
}
