import { topics } from '@podium/messages';
import { GroupPositions, createKafka } from '@podium/runtime/kafka';
import { localStack } from '@podium/testing';
import { pino } from 'pino';

/**
 * Replaces the consumers of the links topic in one spec file. All specs against the stack share these groups, so the
 * committed offsets come from this class and not from the broker.
 */
export class LinkViews {
  private readonly positions = new GroupPositions(
    createKafka({
      brokers: [...localStack().kafkaBrokers],
      clientId: 'linkage-spec',
      logger: pino({ level: 'silent' }),
    }),
    pino({ level: 'silent' }),
  );
  private readonly committed = new Map<string, bigint[]>();
  private following = false;

  /** Mocks the committed offsets that the broker would return. */
  start(): void {
    const answer = async (group: string, topic: string): Promise<bigint[]> =>
      this.following ? this.positions.ends(topic) : (this.committed.get(group) ?? []);
    jest.spyOn(GroupPositions.prototype, 'committed').mockImplementation(answer);
  }

  /** Commits everything that is in the topic now, for the given groups or for all. */
  async commit(groups: readonly string[] = topics.links.readyWhen): Promise<void> {
    const ends = await this.positions.ends(topics.links.name);
    for (const group of groups) this.committed.set(group, ends);
  }

  /** Keeps committing, as consumers without lag do. */
  follow(): void {
    this.following = true;
  }

  /** Commits nothing further until `commit` or `follow` is called. */
  async pause(): Promise<void> {
    this.following = false;
    await this.commit();
  }

  async stop(): Promise<void> {
    jest.restoreAllMocks();
    await this.positions.close();
  }
}
