import { FetchWatch } from './fetch-watch';

/** What is asked of the brokers to tell a client that hangs from brokers that are away. */
export interface BrokerProbe {
  /** The ids of the brokers, after the leaders of all partitions of these topics have answered; rejects when one does not. */
  answeringBrokers(topics: readonly string[]): Promise<ReadonlySet<string>>;
}

/** When a client hangs. */
export interface HangWatchOptions {
  topics: readonly string[];
  probe: BrokerProbe;
  /** How long fetches may have no answer while the brokers answer others, milliseconds. */
  patienceMs: number;
  now?: () => number;
}

/** From this part of the patience on the brokers are asked. */
const probedFrom = 1 / 4;

/**
 * Finds out that a client hangs: for a time its fetches had no answer while, for as long, the brokers answered others. A
 * Kafka that is away and comes back leaves the client the same time to find it again by itself.
 */
export class HangWatch {
  private answeringSince: number | undefined;
  private readonly now: () => number;

  constructor(private readonly options: HangWatchOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Milliseconds for which the client hangs; null when it does not, or when nobody can tell. */
  async look(fetches: Pick<FetchWatch, 'silenceMs'>): Promise<number | null> {
    const { patienceMs, probe, topics } = this.options;
    if (fetches.silenceMs() < patienceMs * probedFrom) return this.fine();
    let brokers: ReadonlySet<string>;
    try {
      brokers = await probe.answeringBrokers(topics);
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
