/** How many requests each client has under way; one client must not take what is there for all. */
export class ClientShare {
  private readonly underWay = new Map<string, number>();

  constructor(private readonly maxPerClient: number) {}

  /** Counts one more request of a client; null when it has as many under way as it may, else what ends it. */
  take(client: string): (() => void) | null {
    const count = this.underWay.get(client) ?? 0;
    if (count >= this.maxPerClient) return null;
    this.underWay.set(client, count + 1);
    return () => this.give(client);
  }

  private give(client: string): void {
    const count = (this.underWay.get(client) ?? 1) - 1;
    if (count === 0) this.underWay.delete(client);
    else this.underWay.set(client, count);
  }
}
