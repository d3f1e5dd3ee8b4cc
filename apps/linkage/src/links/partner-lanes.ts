/** One unit of background work at a partner. */
export type LaneJob = () => Promise<void>;

/**
 * Runs background work in one lane per partner, each with a few jobs at once. A lane that is still busy gets no further
 * work, so a slow partner delays its own jobs only.
 */
export class PartnerLanes {
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly jobsAtOnce: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Partners whose lane has work. */
  get busy(): string[] {
    return [...this.running.keys()];
  }

  /** Starts the jobs of a partner whose lane is idle; after an abort the remaining ones are left out. */
  start(partner: string, jobs: readonly LaneJob[], signal: AbortSignal): void {
    if (this.running.has(partner)) throw new Error('the lane of the partner is busy');
    const left = [...jobs];
    const work = async (): Promise<void> => {
      for (let job = left.shift(); job !== undefined && !signal.aborted; job = left.shift())
        await job().catch(this.onError);
    };
    const workers = Array.from({ length: Math.min(this.jobsAtOnce, jobs.length) }, work);
    this.running.set(
      partner,
      Promise.all(workers).then(() => void this.running.delete(partner)),
    );
  }

  /** Waits until all lanes are idle. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }
}
