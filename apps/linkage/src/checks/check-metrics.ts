import type { CheckReport } from '@podium/partner-check';
import { Counter, Registry } from '@podium/runtime/metrics';

/** How a check of a partner's server ended. */
type CheckOutcome = CheckReport['verdict'] | 'interrupted';

/** Counts checks of partners' servers by outcome. */
export class CheckMetrics {
  private readonly checks: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.checks = new Counter({
      name: 'linkage_partner_checks_total',
      help: "Checks of partners' servers that this instance ended: links, does_not_link, not_finished (a log-in did not come back), interrupted",
      labelNames: ['outcome'],
      registers: [registry],
    });
    const outcomes = ['links', 'does_not_link', 'not_finished', 'interrupted'] satisfies CheckOutcome[];
    for (const outcome of outcomes) this.checks.inc({ outcome }, 0);
  }

  ended(outcome: CheckOutcome): void {
    this.checks.inc({ outcome });
  }
}
