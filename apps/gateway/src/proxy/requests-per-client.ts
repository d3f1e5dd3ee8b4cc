/** Counts the requests that each client has in progress, so that one client cannot use up the capacity of all. */
export class RequestsPerClient {
  private readonly inProgress = new Map<string, number>();

  constructor(private readonly maxPerClient: number) {}

  /** Counts one more request of a client; returns the function that releases it, or null if the client has too many. */
  take(client: string): (() => void) | null {
    const count = this.inProgress.get(client) ?? 0;
    if (count >= this.maxPerClient) return null;
    this.inProgress.set(client, count + 1);
    return () => this.release(client);
  }

  private release(client: string): void {
    const count = (this.inProgress.get(client) ?? 1) - 1;
    if (count === 0) this.inProgress.delete(client);
    else this.inProgress.set(client, count);
  }
}
