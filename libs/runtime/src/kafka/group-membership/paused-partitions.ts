import { Consumer } from 'kafkajs';

/** Partitions that are temporarily not fetched. */
export class PausedPartitions {
  private readonly resumes = new Map<string, NodeJS.Timeout>();

  /** Pauses a partition; a new pause of the same partition replaces the current one. */
  pause(
    consumer: Pick<Consumer, 'pause' | 'resume'>,
    { topic, partition, durationMs }: { topic: string; partition: number; durationMs: number },
  ): void {
    const target = [{ topic, partitions: [partition] }];
    const name = `${topic}/${partition}`;
    clearTimeout(this.resumes.get(name));
    consumer.pause(target);
    this.resumes.set(
      name,
      setTimeout(() => {
        this.resumes.delete(name);
        try {
          consumer.resume(target);
        } catch {
          // The client restarts after a crash, and nothing is paused in its new run.
        }
      }, durationMs),
    );
  }

  /** Clears all pauses: the member leaves. */
  clear(): void {
    for (const timer of this.resumes.values()) clearTimeout(timer);
    this.resumes.clear();
  }
}
