import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { FailingPartners } from './failing-partners';
import { deleteExpiredFlows } from './flow.store';
import { deletePassedChanges } from './link-change-rate.store';
import { claimUserInfoChecks } from './link.store';
import { readTokens } from './token.store';
import { UserInfoChecks } from './user-info-checks';
import { LaneEnd, LaneJob, PartnerLanes, RefillLane } from './partner-lanes';
import { claimProbes, hastenRefreshes, readPartnersWithFailed } from './failed-refreshes.store';
import { DueLink, DueRefresh, claimDueRefreshes, readAbandonedRefreshes } from './refresh-claim.store';
import { deleteOldAttempts } from './refresh-journal.store';
import { claimDueRevocations } from './revocation.store';
import { Refreshed, TokenRefresher } from './token-refresher';
import { TokenRevoker } from './token-revoker';

/** A nickname changed at the partner appears here within about a day. */
const checkEveryS = 86_400;
/** Most links of one partner in one claim, by kind of work, and most of them at once. */
const perPartner = 20;
const atOncePerPartner = 4;
/** Longer than a lane may take, so that a refresh is claimed again only if its instance has stopped. */
const claimAgainS = 300;
/** Failed refreshes of a partner that has recovered: as many of them are made due in one round, within this time. */
const hastened = { withinS: 20, limit: 1000 };
const abandonedPerRound = 100;
const flowsPerRound = 10_000;
const changeRatesPerRound = 10_000;
/** How long the journal keeps refreshes of former tokens. */
const journalS = 7 * 86_400;
const attemptsPerRound = 10_000;

/**
 * Background work on links, by any instance: recovers refreshes whose instance has stopped, refreshes tokens before they
 * expire, asks failing partners whether they have recovered, revokes tokens of ended links, and reads the user info of each
 * link once a day, so that nicknames stay correct and a link that the user ended at the partner is detected early. Each
 * partner has its own lane of limited work.
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
    private readonly failing = new FailingPartners(),
  ) {
    this.lanes = new PartnerLanes(atOncePerPartner, (error) =>
      parts.logger.warn({ err: error }, 'background work on a link failed; it will be retried'),
    );
  }

  /** Starts what is due at partners whose lane is idle; does not wait for partners. After an abort it claims nothing. */
  async begin(signal: LaneEnd): Promise<void> {
    if (signal.aborted) return;
    const db = queryable(this.parts.pool);
    await deleteExpiredFlows(db, flowsPerRound);
    await deletePassedChanges(db, changeRatesPerRound);
    await deleteOldAttempts(db, journalS, attemptsPerRound);
    await this.hasten();
    for (const [partner, batch] of await this.claim(null))
      this.lanes.start(partner, batch.jobs, signal, this.refill(partner, batch));
  }

  /** Waits for the work that has started. */
  idle(): Promise<void> {
    return this.lanes.idle();
  }

  /**
   * Claims again for a lane that has done a full claim of refreshes, so that a partner with many links is limited by its answers
   * alone. Not when most of them failed: then they wait for the next round, so that an outage costs little.
   */
  private refill(partner: string, first: Batch): RefillLane {
    let batch = first;
    return async () => {
      if (batch.due < perPartner || batch.refreshed < batch.due / 2) return [];
      batch = (await this.claim(partner)).get(partner) ?? new Batch();
      return batch.jobs;
    };
  }

  /** Claims what is due at one partner, or at all whose lane is idle. */
  private async claim(only: string | null): Promise<Map<string, Batch>> {
    const db = queryable(this.parts.pool);
    const { busy } = this.lanes;
    const isWanted = (integrationId: string): boolean =>
      only === null ? !busy.includes(integrationId) : integrationId === only;
    const partners = { busy, only, perPartner };
    const abandoned = await readAbandonedRefreshes(db, abandonedPerRound);
    const due = await claimDueRefreshes(db, { ...partners, againInS: claimAgainS });
    const unchecked = await claimUserInfoChecks(db, { ...partners, olderThanS: checkEveryS });
    const revocations = await claimDueRevocations(db, { ...partners, againInS: claimAgainS });
    const batches = new Map<string, Batch>();
    const add = <Due extends DueLink>(
      links: readonly Due[],
      run: (due: Due, batch: Batch) => Promise<unknown>,
    ): void => {
      for (const link of links) {
        const batch = batches.get(link.integrationId) ?? new Batch();
        batch.jobs.push(async () => void (await run(link, batch)));
        batches.set(link.integrationId, batch);
      }
    };
    add(
      abandoned.filter(({ integrationId }) => isWanted(integrationId)),
      (link) => this.refresh(link),
    );
    add(due, async (link, batch) => void ((await this.refresh(link)) === 'refreshed' && batch.refreshed++));
    add(await this.claimProbes(isWanted), (link) => this.probe(link));
    add(unchecked, ({ linkId }) => this.parts.checks.check(linkId));
    add(revocations, (revocation) => this.parts.revoker.revoke(revocation));
    for (const { integrationId } of due) batches.get(integrationId)!.due++;
    return batches;
  }

  /** One failed link of each partner that is to be asked whether it has recovered. */
  private async claimProbes(isWanted: (integrationId: string) => boolean): Promise<DueRefresh[]> {
    const integrationIds = this.failing.takeDue(isWanted);
    if (integrationIds.length === 0) return [];
    const probes = await claimProbes(queryable(this.parts.pool), { integrationIds, againInS: claimAgainS });
    const probed = new Set(probes.map(({ integrationId }) => integrationId));
    await this.forgetHealthy(integrationIds.filter((integrationId) => !probed.has(integrationId)));
    return probes;
  }

  private async probe(link: DueRefresh): Promise<void> {
    const { integrationId, linkId } = link;
    this.failing.probing(integrationId, linkId);
    if ((await this.send(link)) !== 'refreshed' || !this.failing.probed(integrationId)) return;
    this.parts.logger.info({ integration_id: integrationId }, 'the partner refreshes tokens again');
  }

  /** One batch of each partner that has recovered; large ones take many rounds. */
  private async hasten(): Promise<void> {
    const { recovering } = this.failing;
    for (const integrationId of recovering) await hastenRefreshes(queryable(this.parts.pool), integrationId, hastened);
    await this.forgetHealthy(recovering);
  }

  private async forgetHealthy(integrationIds: readonly string[]): Promise<void> {
    if (integrationIds.length === 0) return;
    const withFailed = await readPartnersWithFailed(queryable(this.parts.pool), integrationIds);
    for (const integrationId of integrationIds) if (!withFailed.has(integrationId)) this.failing.forget(integrationId);
  }

  private async refresh(link: DueRefresh): Promise<Refreshed | null> {
    const refreshed = await this.send(link);
    if (refreshed === 'refreshed') this.failing.succeeded(link.integrationId);
    return refreshed;
  }

  private async send({ linkId, integrationId, version }: DueRefresh): Promise<Refreshed | null> {
    const stored = await readTokens(queryable(this.parts.pool), linkId);
    // Another version is another instance's: while this link waited for its turn, its tokens were refreshed.
    if (!stored?.refreshTokenEnc || stored.version !== version) return null;
    const refreshed = await this.parts.refresher.refresh(stored);
    if (refreshed === 'unavailable') this.failing.failed(integrationId, linkId);
    return refreshed;
  }
}

/** The work of one lane from one claim. */
class Batch {
  readonly jobs: LaneJob[] = [];
  /** Refreshes that were due. */
  due = 0;
  /** How many of them have succeeded so far. */
  refreshed = 0;
}
