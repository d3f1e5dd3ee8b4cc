/** One unit of background work at a partner. */
export type LaneJob = () => Promise<void>;

/** Whether no further job is to begin. */
export type LaneEnd = Pick<AbortSignal, 'aborted'>;

/** Further jobs for a lane that has done all that it had; none lets the lane end. */
export type RefillLane = () => Promise<readonly LaneJob[]>;

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

  /**
   * Starts the jobs of a partner whose lane is idle, and goes on with those of `refill`. After an abort the remaining ones are left
   * out.
   */
  start(partner: string, jobs: readonly LaneJob[], signal: LaneEnd, refill: RefillLane = noJobs): void {
    if (this.running.has(partner)) throw new Error('the lane of the partner is busy');
    const lane = this.run(jobs, signal, refill).catch(this.onError);
    this.running.set(
      partner,
      lane.then(() => void this.running.delete(partner)),
    );
  }

  /** Waits until all lanes are idle. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async run(jobs: readonly LaneJob[], signal: LaneEnd, refill: RefillLane): Promise<void> {
    for (let next = jobs; next.length > 0 && !signal.aborted; next = signal.aborted ? [] : await refill()) {
      const left = [...next];
      const work = async (): Promise<void> => {
        for (let job = left.shift(); job !== undefined && !signal.aborted; job = left.shift())
          await job().catch(this.onError);
      };
      await Promise.all(Array.from({ length: Math.min(this.jobsAtOnce, next.length) }, work));
    }
  }
}

const noJobs: RefillLane = () => Promise.resolve([]);
