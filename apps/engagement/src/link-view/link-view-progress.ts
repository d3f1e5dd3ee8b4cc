import { topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';

/** How long the record of a link may need to its topic, milliseconds: the relay of linkage's outbox, and two clocks. */
const publicationMs = 1_000;

/** Next offsets of a topic by partition. */
interface Positions {
  loadAll(topic: string): Promise<ReadonlyMap<number, bigint>>;
}

interface Ends {
  readonly atMs: number;
  readonly partitions: readonly { readonly partition: number; readonly offset: bigint }[];
}

/**
 * Finds up to when the view of links is complete: it reads the ends of the topic, waits until the positions of the view have
 * reached them, and reads the ends again.
 */
export class LinkViewProgress {
  private passedMs = 0;
  private awaited: Ends | null = null;

  constructor(
    private readonly topic: Pick<GroupPositions, 'bounds'>,
    private readonly view: Positions,
    private readonly now: () => number = Date.now,
  ) {}

  /** Unix seconds: links that began or ended up to then are in the view; 0 until it is known. */
  passedS(): number {
    return Math.floor(this.passedMs / 1000);
  }

  /** To be repeated. Rejects while Kafka or Postgres is away: then nothing passes. */
  async advance(): Promise<void> {
    this.awaited ??= await this.readEnds();
    const positions = await this.view.loadAll(topics.links.name);
    const { atMs, partitions } = this.awaited;
    if (partitions.some(({ partition, offset }) => (positions.get(partition) ?? -1n) < offset)) return;
    this.passedMs = Math.max(this.passedMs, atMs - publicationMs);
    this.awaited = null;
  }

  private async readEnds(): Promise<Ends> {
    const atMs = this.now();
    const bounds = await this.topic.bounds(topics.links.name);
    const partitions = bounds.flatMap(({ low, high }, partition) =>
      low === high ? [] : [{ partition, offset: high }],
    );
    return { atMs, partitions };
  }
}
