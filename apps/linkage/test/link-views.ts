import { topics } from '@podium/messages';
import { GroupPositions, createKafka } from '@podium/runtime/kafka';
import { localStack } from '@podium/testing';
import { pino } from 'pino';

/**
 * Stands in for the consumers of the links topic in one spec file: their groups are shared by everything that runs against
 * the stack, so that what they have committed is answered here and not asked of the broker.
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

  /** Takes the place of the broker's answers about groups. */
  start(): void {
    const answer = async (group: string, topic: string): Promise<bigint[]> =>
      this.following ? this.positions.ends(topic) : (this.committed.get(group) ?? []);
    jest.spyOn(GroupPositions.prototype, 'committed').mockImplementation(answer);
  }

  /** Commits everything that is in the topic now, for all groups or those named. */
  async commit(groups: readonly string[] = topics.links.readyWhen): Promise<void> {
    const ends = await this.positions.ends(topics.links.name);
    for (const group of groups) this.committed.set(group, ends);
  }

  /** Keeps committing, as consumers without lag do. */
  follow(): void {
    this.following = true;
  }

  /** Commits nothing more until told. */
  async pause(): Promise<void> {
    this.following = false;
    await this.commit();
  }

  async stop(): Promise<void> {
    jest.restoreAllMocks();
    await this.positions.close();
  }
}
