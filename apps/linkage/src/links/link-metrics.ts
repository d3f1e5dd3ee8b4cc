import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { LinkOutcome } from './link-outcome';

/** How a flow ended. `pending`: linked, but not every part of the service had the link in time. `error`: this service failed. */
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
      help: 'Linking flows by outcome: ready, pending (linked, not ready in time), error (of the service), or the reason of the failure',
      labelNames: ['platform', 'outcome'],
      registers,
    });
  }

  /** Call when a user is sent to the partner. Creates the series of outcomes that objectives count, so that none is missing. */
  flowStarted(platform: string): void {
    const label = this.platforms.of(platform);
    this.started.inc({ platform: label });
    for (const outcome of ['ready', 'pending', 'error'] satisfies FlowEnd[])
      this.finished.inc({ platform: label, outcome }, 0);
  }

  /** Call when a partner's redirect has ended with an outcome; `platform` is null for an unknown integration. */
  flowFinished(platform: string | null, outcome: LinkOutcome): void {
    if (outcome.kind === 'tested' || outcome.kind === 'testing') return;
    const end = outcome.kind === 'failed' ? outcome.reason : outcome.ready ? 'ready' : 'pending';
    this.finished.inc({ platform: this.labelOf(platform), outcome: end });
  }

  /** Call when a flow ended by an error of this service. */
  flowFailed(platform: string | null): void {
    this.finished.inc({ platform: this.labelOf(platform), outcome: 'error' satisfies FlowEnd });
  }

  private labelOf(platform: string | null): string {
    return platform === null ? 'unknown' : this.platforms.of(platform);
  }
}
