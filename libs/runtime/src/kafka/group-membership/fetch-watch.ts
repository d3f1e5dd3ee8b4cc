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

  /**
   * Milliseconds for which the client has waited. When it is known which brokers of the cluster answer others, only these
   * count. While one does not, a client that fetches from none may wait for that one as its coordinator.
   */
  silenceMs(answering?: ReadonlyMap<string, boolean>): number {
    const now = this.now();
    const isOneSilent = answering !== undefined && [...answering.values()].includes(false);
    const ofAll = this.inHand > 0 || isOneSilent ? 0 : now - this.lastSign;
    const ofEach = [...this.owing]
      .filter(([broker]) => answering === undefined || answering.get(broker) === true)
      .map(([, since]) => now - since);
    return Math.max(ofAll, ...ofEach);
  }
}
