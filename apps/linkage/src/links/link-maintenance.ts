import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { deleteExpiredFlows } from './flow.store';
import { claimUserInfoChecks } from './link.store';
import { readTokens } from './token.store';
import { UserInfoChecks } from './user-info-checks';
import { LaneJob, PartnerLanes } from './partner-lanes';
import { DueLink, claimDueRefreshes, readAbandonedRefreshes } from './refresh-claim.store';
import { deleteOldAttempts } from './refresh-journal.store';
import { claimDueRevocations } from './revocation.store';
import { TokenRefresher } from './token-refresher';
import { TokenRevoker } from './token-revoker';

/** A nickname changed at the partner appears here within about a day. */
const checkEveryS = 86_400;
/** Most links of one partner in one round, by kind of work, and most of them at once. */
const perPartner = 20;
const atOncePerPartner = 4;
/** Longer than a lane may take, so that a refresh is claimed again only if its instance has stopped. */
const claimAgainS = 300;
/** After this time a revocation that fails is given up. */
const revokeWithinS = 86_400;
const abandonedPerRound = 100;
const flowsPerRound = 10_000;
/** How long the journal keeps refreshes of former tokens. */
const journalS = 7 * 86_400;
const attemptsPerRound = 10_000;

/**
 * Background work on links, by any instance: recovers refreshes whose instance has stopped, refreshes tokens before they
 * expire, revokes tokens of ended links, and reads the user info of each link once a day, so that nicknames stay correct and a
 * link that the user ended at the partner is detected early. Each partner has its own lane of limited work.
 */
export class LinkMaintenance {
  private readonly lanes: PartnerLanes;

  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly refresher: TokenRefresher;
      readonly checks: UserInfoChecks;
      readonly revoker: TokenRevoker;
      readonly logger: Logger;
    },
  ) {
    this.lanes = new PartnerLanes(atOncePerPartner, (error) =>
      parts.logger.warn({ err: error }, 'background work on a link failed; it will be retried'),
    );
  }

  /** Starts what is due at partners whose lane is idle; does not wait for partners. */
  async begin(signal: AbortSignal): Promise<void> {
    const db = queryable(this.parts.pool);
    await deleteExpiredFlows(db, flowsPerRound);
    await deleteOldAttempts(db, journalS, attemptsPerRound);
    const { busy } = this.lanes;
    const abandoned = (await readAbandonedRefreshes(db, abandonedPerRound)).filter(
      ({ integrationId }) => !busy.includes(integrationId),
    );
    const due = await claimDueRefreshes(db, { busy, perPartner, againInS: claimAgainS });
    const unchecked = await claimUserInfoChecks(db, { busy, perPartner, olderThanS: checkEveryS });
    const revocations = await claimDueRevocations(db, {
      ...{ busy, perPartner, againInS: claimAgainS },
      lastAfterS: revokeWithinS,
    });
    const jobs = new Map<string, LaneJob[]>();
    const add = <Due extends DueLink>(links: readonly Due[], run: (due: Due) => Promise<unknown>): void => {
      for (const link of links) {
        const { integrationId } = link;
        const ofPartner = jobs.get(integrationId) ?? [];
        ofPartner.push(async () => void (await run(link)));
        jobs.set(integrationId, ofPartner);
      }
    };
    add(abandoned, ({ linkId }) => this.refresh(linkId));
    add(due, ({ linkId }) => this.refresh(linkId));
    add(unchecked, ({ linkId }) => this.parts.checks.check(linkId));
    add(revocations, (revocation) => this.parts.revoker.revoke(revocation));
    for (const [partner, ofPartner] of jobs) this.lanes.start(partner, ofPartner, signal);
  }

  /** Waits for the work that has started. */
  idle(): Promise<void> {
    return this.lanes.idle();
  }

  private async refresh(linkId: string): Promise<void> {
    const stored = await readTokens(queryable(this.parts.pool), linkId);
    if (stored?.refreshTokenEnc) await this.parts.refresher.refresh(stored);
  }
}
