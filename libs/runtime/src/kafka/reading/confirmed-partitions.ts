/** When a reader last had everything that the brokers had of a topic, partition by partition. */
export class ConfirmedPartitions {
  /** Monotonic milliseconds by partition. */
  private readonly confirmedAt = new Map<number, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** From here on these partitions count too. Further ones that a reader finds when it has all others begin as confirmed. */
  expect(partitions: Iterable<number>, hasOthers: boolean): void {
    const at = hasOthers ? this.now() : -Infinity;
    for (const partition of partitions) if (!this.confirmedAt.has(partition)) this.confirmedAt.set(partition, at);
  }

  /** A broker has shown that the reader has everything of the partition. */
  confirm(partition: number): void {
    this.confirmedAt.set(partition, this.now());
  }

  /** Milliseconds since the partition was confirmed that has waited longest; Infinity until all have been. */
  ageMs(): number {
    if (this.confirmedAt.size === 0) return Infinity;
    return this.now() - Math.min(...this.confirmedAt.values());
  }
}
