import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { LinkOutcome } from './link-outcome';

/** How a flow ended; `pending` is linked, but not known to every part of the service in time; `error` is our own failure. */
type FlowEnd = 'ready' | 'pending' | 'error';

/** The funnel of linking: flows that began, and how they ended. */
export class LinkMetrics {
  private readonly started: Counter<'platform'>;
  private readonly finished: Counter<'platform' | 'outcome'>;
  private readonly platforms = new BoundedLabel();

  constructor(registry: Registry) {
    const registers = [registry];
    this.started = new Counter({
      name: 'linkage_link_flows_started_total',
      help: 'Linking flows that sent a user to a partner',
      labelNames: ['platform'],
      registers,
    });
    this.finished = new Counter({
      name: 'linkage_link_flows_finished_total',
      help: 'Linking flows by their end: ready, pending (linked, not known everywhere in time), error (ours), or why it failed',
      labelNames: ['platform', 'outcome'],
      registers,
    });
  }

  /** A user goes to the partner. The ends that objectives count are shown from here, so that none is hidden. */
  flowStarted(platform: string): void {
    const label = this.platforms.of(platform);
    this.started.inc({ platform: label });
    for (const outcome of ['ready', 'pending', 'error'] satisfies FlowEnd[])
      this.finished.inc({ platform: label, outcome }, 0);
  }

  /** A partner's redirect came back; `platform` is null for an integration that nobody knows. */
  flowFinished(platform: string | null, outcome: LinkOutcome): void {
    const end = outcome.kind === 'failed' ? outcome.reason : outcome.ready ? 'ready' : 'pending';
    this.finished.inc({ platform: this.labelOf(platform), outcome: end });
  }

  /** A flow ended by a failure of ours. */
  flowFailed(platform: string | null): void {
    this.finished.inc({ platform: this.labelOf(platform), outcome: 'error' satisfies FlowEnd });
  }

  private labelOf(platform: string | null): string {
    return platform === null ? 'unknown' : this.platforms.of(platform);
  }
}
