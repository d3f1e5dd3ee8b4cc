/** How often a partner that answers refreshes with faults is asked whether it has recovered. */
const probeEveryMs = 20_000;

/** The longest pause between probes where other links succeed: then it is the failing links' own fault. */
const longestPauseMs = 600_000;

interface FailingPartner {
  probeAtMs: number;
  pauseMs: number;
  probedLink: string | null;
  /** Whether a refresh failed after the last probe began. */
  hasFailedSince: boolean;
  /** Whether other links have been refreshed since a link failed that was no probe. */
  doOthersSucceed: boolean;
  /** Whether the last probe succeeded and nothing failed since. */
  isRecovering: boolean;
}

/**
 * Partners at which a refresh of this instance failed. Failed links wait up to an hour and more each, so one of them is sent
 * earlier, as a probe. When it succeeds, the others are hastened until one fails. Successes of other links say nothing: a
 * partner may answer healthy links while it refuses these; but then the pauses between probes grow.
 */
export class FailingPartners {
  private readonly partners = new Map<string, FailingPartner>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Notes a refresh that failed, of a probe too. */
  failed(integrationId: string, linkId: string): void {
    const partner = this.partners.get(integrationId);
    if (!partner)
      return void this.partners.set(integrationId, {
        ...{ probeAtMs: this.nowMs() + probeEveryMs, pauseMs: probeEveryMs, probedLink: null },
        ...{ hasFailedSince: true, doOthersSucceed: false, isRecovering: false },
      });
    Object.assign(partner, { hasFailedSince: true, isRecovering: false });
    if (partner.probedLink === linkId) return;
    Object.assign(partner, { doOthersSucceed: false, pauseMs: probeEveryMs });
    partner.probeAtMs = Math.min(partner.probeAtMs, this.nowMs() + probeEveryMs);
  }

  /** Notes a refresh that succeeded and was no probe. */
  succeeded(integrationId: string): void {
    const partner = this.partners.get(integrationId);
    if (partner) partner.doOthersSucceed = true;
  }

  /** Notes the link that is sent as a probe. */
  probing(integrationId: string, linkId: string): void {
    const partner = this.partners.get(integrationId);
    if (partner) partner.probedLink = linkId;
  }

  /** Notes a probe that succeeded; whether the partner has recovered by it, which is not so when another link failed since. */
  probed(integrationId: string): boolean {
    const partner = this.partners.get(integrationId);
    if (!partner || partner.hasFailedSince || partner.isRecovering) return false;
    partner.isRecovering = true;
    return true;
  }

  /** Forgets a partner without failed links. */
  forget(integrationId: string): void {
    this.partners.delete(integrationId);
  }

  /** Partners whose failed links are to be hastened. */
  get recovering(): string[] {
    return [...this.partners].filter(([, { isRecovering }]) => isRecovering).map(([integrationId]) => integrationId);
  }

  /** The partners to probe now, of those that are wanted; each is probed again only after the pause. */
  takeDue(isWanted: (integrationId: string) => boolean = () => true): string[] {
    const now = this.nowMs();
    const due = [...this.partners].filter(
      ([integrationId, { probeAtMs, isRecovering }]) => !isRecovering && probeAtMs <= now && isWanted(integrationId),
    );
    for (const [, partner] of due) {
      const pauseMs = partner.doOthersSucceed ? Math.min(partner.pauseMs * 2, longestPauseMs) : probeEveryMs;
      Object.assign(partner, { pauseMs, probeAtMs: now + pauseMs, hasFailedSince: false });
    }
    return due.map(([integrationId]) => integrationId);
  }
}
