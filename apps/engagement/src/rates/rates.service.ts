import { CodedError, topics } from '@podium/messages';
import {
  Operator,
  Page,
  keyInCursor,
  pageOf,
  requireRole,
  unknownCursor,
  visibleOrganizers,
} from '@podium/runtime/http';
import { appendOutbox, isTopicPublished } from '@podium/runtime/outbox';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { appendAudit, ratesSubject } from '../definitions/definition-audit.store';
import { holdSlowWork, moveEpoch } from '../definitions/epoch.store';
import { requireAnother } from '../definitions/four-eyes';
import { changedRates, checkRates, isDayOfRates, textOf, waitingRates } from './check-rates';
import { evaluateAgain } from './evaluate-again';
import { rateRecord } from './rate-record';
import { RateReply, RatesDto, RatesQuery, RatesReply } from './rate.dto';
import { RateRow, StatedRate, approveRates, listRates, lockRates, rateKey, writeRates } from './rates.store';

/**
 * Rates of exchange of organizers (docs/engine.md, reading 14): given by one operator, approved by another one, then never
 * changed. An approval lets all users of the definitions that use the pair be evaluated again.
 */
export class RatesService {
  constructor(
    private readonly pool: Pool,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Role editor. Replaces given rates that are not approved; throws `conflict` where another one is approved. */
  async give(operator: Operator, { organizer_id: organizerId, rates }: RatesDto): Promise<RatesReply> {
    requireRole(operator, organizerId, 'editor');
    const now = this.now();
    checkRates(rates, now);
    return inTransaction(this.pool, async (tx) => {
      const known = await lockRates(tx, organizerId, rates);
      const changed = changedRates(rates, known);
      await writeRates(tx, organizerId, changed, { by: operator.operatorId, at: now });
      await this.audit(tx, operator, organizerId, 'rates.given', changed);
      return this.replyOf(tx, organizerId, rates);
    });
  }

  /**
   * Role approver, another operator than the one who gave the rates. The rates are stated again, so that what is approved is
   * what was seen. What is approved already changes nothing.
   */
  async approve(operator: Operator, { organizer_id: organizerId, rates }: RatesDto): Promise<RatesReply> {
    requireRole(operator, organizerId, 'approver');
    const now = this.now();
    checkRates(rates, now);
    return inTransaction(this.pool, async (tx) => {
      await holdSlowWork(tx);
      const waiting = waitingRates(rates, await lockRates(tx, organizerId, rates));
      for (const rate of waiting) requireAnother(operator, rate.givenBy, `gave ${textOf(rate)}`);
      if (waiting.length > 0) {
        await requirePublished(tx);
        const approved = { by: operator.operatorId, at: now };
        await approveRates(tx, organizerId, waiting, approved);
        await evaluateAgain(
          tx,
          waiting.map(({ from, to }) => ({ organizerId, from, to })),
          now.getTime(),
        );
        await appendOutbox(
          tx,
          'engagement',
          waiting.map((rate) => rateRecord(rate, approved)),
        );
        await this.audit(tx, operator, organizerId, 'rates.approved', waiting);
      }
      const reply = await this.replyOf(tx, organizerId, rates);
      // Last, because events wait from here on.
      if (waiting.length > 0) await moveEpoch(tx);
      return reply;
    });
  }

  /** Of the organizers that the operator may see. */
  async list(operator: Operator, query: RatesQuery): Promise<Page<RateReply>> {
    const before = keyInCursor(query.cursor, ['string', 'string', 'string', 'string']);
    if (before !== null && !isDayOfRates(before[3])) throw unknownCursor();
    const rows = await listRates(queryable(this.pool), {
      organizers: visibleOrganizers(operator),
      organizerId: query.organizer_id,
      ...{ from: query.from, to: query.to, before, limit: query.limit + 1 },
      isApproved: query.state === undefined ? undefined : query.state === 'approved',
    });
    return pageOf(rows, query.limit, ({ organizerId, from, to, day }) => [organizerId, from, to, day], rateReply);
  }

  private async audit(
    tx: Queryable,
    operator: Operator,
    organizerId: string,
    action: string,
    rates: readonly StatedRate[],
  ): Promise<void> {
    if (rates.length === 0) return;
    await appendAudit(tx, {
      ...{ operatorId: operator.operatorId, organizerId, action, definitionId: ratesSubject(organizerId) },
      details: { rates: rates.map(textOf) },
    });
  }

  private async replyOf(tx: Queryable, organizerId: string, rates: readonly StatedRate[]): Promise<RatesReply> {
    const known = await lockRates(tx, organizerId, rates);
    return { items: rates.flatMap((rate) => known.get(rateKey(rate)) ?? []).map(rateReply) };
  }
}

/** An approved rate leaves with its approval: a relay of the release before does not know the topic. */
async function requirePublished(tx: Queryable): Promise<void> {
  if (await isTopicPublished(tx, 'engagement', topics.rates)) return;
  throw new CodedError('unavailable', {
    message: 'Rates cannot be approved while the service is being updated. Try again in a few minutes.',
    retryAfterS: 60,
    internal: 'no relay leads that publishes the topic of rates',
  });
}

function rateReply(row: RateRow): RateReply {
  const { organizerId, from, to, day, rate, givenBy, givenAt, approvedBy, approvedAt } = row;
  return {
    ...{ organizer_id: organizerId, from, to, day, rate },
    state: approvedAt === null ? 'given' : 'approved',
    given_by: givenBy,
    given_at: givenAt.toISOString(),
    approved_by: approvedBy,
    approved_at: approvedAt?.toISOString() ?? null,
  };
}
