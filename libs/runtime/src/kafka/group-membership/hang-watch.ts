import { BrokerProbe } from '../positions/group-positions';
import { FetchWatch } from './fetch-watch';

/** Settings of the watch. */
export interface HangWatchOptions {
  topics: readonly string[];
  probe: BrokerProbe;
  /** How long fetches may have no response while the brokers respond to others, milliseconds. */
  patienceMs: number;
  now?: () => number;
}

/** Probes begin at this part of the patience. */
const probedFrom = 1 / 4;

/**
 * Detects a hanging client: for the patience its fetches had no response while the brokers responded to probes for as long.
 * After an outage of Kafka, the client has the same time to reconnect by itself.
 */
export class HangWatch {
  private answeringSince: number | undefined;
  private readonly now: () => number;

  constructor(private readonly options: HangWatchOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Milliseconds for which the client hangs; null when it does not, or when this is unknown. */
  async check(fetches: Pick<FetchWatch, 'silenceMs'>): Promise<number | null> {
    const { patienceMs, probe, topics } = this.options;
    if (fetches.silenceMs() < patienceMs * probedFrom) return this.fine();
    let brokers: ReadonlyMap<string, boolean>;
    try {
      brokers = await probe.brokerAnswers(topics);
    } catch {
      return this.fine();
    }
    const silenceMs = fetches.silenceMs(brokers);
    if (silenceMs < patienceMs * probedFrom) return this.fine();
    this.answeringSince ??= this.now();
    const answeringMs = this.now() - this.answeringSince + patienceMs * probedFrom;
    return Math.min(silenceMs, answeringMs) >= patienceMs ? silenceMs : null;
  }

  private fine(): null {
    this.answeringSince = undefined;
    return null;
  }
}
