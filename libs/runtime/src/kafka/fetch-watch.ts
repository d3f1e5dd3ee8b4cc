/**
 * How long a consumer's client has waited for an answer to its fetches. A client that handles a batch, or that has nothing to
 * fetch because its partitions are paused, does not wait; one that hangs while it joins or disconnects does.
 */
export class FetchWatch {
  /** Since when each broker owes an answer, by its id. */
  private readonly owing = new Map<string, number>();
  private lastSign: number;
  private inHand = 0;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.lastSign = now();
  }

  /** The client asks a broker; it asks again after a failure without having got an answer. */
  asked(broker: string): void {
    if (!this.owing.has(broker)) this.owing.set(broker, this.now());
  }

  answered(broker: string): void {
    this.owing.delete(broker);
    this.lastSign = this.now();
  }

  /** A batch is handled until the returned function is called: nothing is fetched meanwhile. */
  handling(): () => void {
    this.inHand++;
    return () => {
      this.inHand--;
      this.lastSign = this.now();
    };
  }

  /** Milliseconds for which the client has waited; of single brokers only those in the cluster count, when they are known. */
  silenceMs(brokersInCluster?: ReadonlySet<string>): number {
    const now = this.now();
    const ofAll = this.inHand > 0 ? 0 : now - this.lastSign;
    const ofEach = [...this.owing]
      .filter(([broker]) => brokersInCluster?.has(broker) ?? true)
      .map(([, since]) => now - since);
    return Math.max(ofAll, ...ofEach);
  }
}
