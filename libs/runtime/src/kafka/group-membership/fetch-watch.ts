/**
 * How long a consumer's client has waited for a response to its fetches. A client that handles a batch, or that has nothing to
 * fetch because its partitions are paused, does not wait; one that hangs while it joins or disconnects does.
 */
export class FetchWatch {
  /** When each broker's pending fetch began, by broker id. */
  private readonly owing = new Map<string, number>();
  private lastSign: number;
  private inHand = 0;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.lastSign = now();
  }

  /** The client fetches from a broker; after a failure it fetches again without having got a response. */
  asked(broker: string): void {
    if (!this.owing.has(broker)) this.owing.set(broker, this.now());
  }

  answered(broker: string): void {
    this.owing.delete(broker);
    this.lastSign = this.now();
  }

  /** A batch is in progress until the returned function is called; nothing is fetched meanwhile. */
  handling(): () => void {
    this.inHand++;
    return () => {
      this.inHand--;
      this.lastSign = this.now();
    };
  }

  /** Milliseconds for which the client has waited. When the cluster's brokers are known, only these count. */
  silenceMs(brokersInCluster?: ReadonlySet<string>): number {
    const now = this.now();
    const ofAll = this.inHand > 0 ? 0 : now - this.lastSign;
    const ofEach = [...this.owing]
      .filter(([broker]) => brokersInCluster?.has(broker) ?? true)
      .map(([, since]) => now - since);
    return Math.max(ofAll, ...ofEach);
  }
}
