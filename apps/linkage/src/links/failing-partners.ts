/** How often a partner that answers refreshes with faults is asked whether it has recovered. */
const probeEveryMs = 20_000;

/**
 * Partners at which a refresh of this instance failed. Failed links wait up to an hour and more each, so one of them is tried
 * often: when it succeeds, all others are due. A partner that recovers gets its links back within a minute.
 */
export class FailingPartners {
  private readonly probeAtMs = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Notes a refresh that failed. */
  failed(integrationId: string): void {
    if (!this.probeAtMs.has(integrationId)) this.probeAtMs.set(integrationId, this.nowMs() + probeEveryMs);
  }

  /** Notes that a partner has no failed links any more, or that it answers again; whether it was known as failing. */
  recovered(integrationId: string): boolean {
    return this.probeAtMs.delete(integrationId);
  }

  /** The partners to ask in this round; each is asked again only after the pause. */
  takeDue(): string[] {
    const now = this.nowMs();
    const due = [...this.probeAtMs].filter(([, atMs]) => atMs <= now).map(([integrationId]) => integrationId);
    for (const integrationId of due) this.probeAtMs.set(integrationId, now + probeEveryMs);
    return due;
  }
}
