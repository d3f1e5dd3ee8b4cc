import { confirmedForMs } from './known-leaders';

/** The partitions of this process's groups whose leader has not answered the latest fetch. */
export class UnreadPartitions {
  private readonly sinceMs = new Map<string, Map<number, number>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  note(topic: string, partition: number, isRead: boolean): void {
    const ofTopic = this.sinceMs.get(topic) ?? new Map<number, number>();
    this.sinceMs.set(topic, ofTopic);
    if (isRead) ofTopic.delete(partition);
    else ofTopic.set(partition, this.now());
  }

  /** Per topic those that were not read lately: another member may read them meanwhile. */
  byTopic(): ReadonlyMap<string, readonly number[]> {
    const since = this.now() - confirmedForMs;
    const unread = [...this.sinceMs].map(
      ([topic, ofTopic]) =>
        [topic, [...ofTopic].filter(([, atMs]) => atMs > since).map(([partition]) => partition)] as const,
    );
    return new Map(unread);
  }
}

/** Those of this process. */
export const unreadPartitions = new UnreadPartitions();
