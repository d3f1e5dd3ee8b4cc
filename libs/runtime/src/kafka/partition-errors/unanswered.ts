/** Errors by which one broker does not answer a client: connections to it fail, or a request has no response in time. */
const unanswered = new Set([
  'KafkaJSConnectionClosedError',
  'KafkaJSConnectionError',
  'KafkaJSLockTimeout',
  'KafkaJSRequestTimeoutError',
  'KafkaJSSASLAuthenticationError',
]);

/** Whether an error, or a cause of it, says that a broker has not answered. */
export function isUnanswered(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (unanswered.has(cause.name)) return true;
  return false;
}

/** How long a broker that has not answered is asked last, milliseconds. */
const lastAskedMs = 30_000;

/** What this needs of a client's brokers. */
interface Brokers {
  readonly brokers: Readonly<Record<string, { readonly brokerAddress: string }>>;
}

/** The brokers that have not answered a client's latest request. */
export class SilentBrokers {
  private readonly sinceMs = new WeakMap<object, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes the broker that an error names, if it names one. */
  note({ brokers }: Brokers, error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const { broker: address } = cause as { broker?: unknown };
      const broker = Object.values(brokers).find(({ brokerAddress }) => brokerAddress === address);
      if (broker) this.sinceMs.set(broker, this.now());
    }
  }

  answered(broker: object | undefined): void {
    if (broker) this.sinceMs.delete(broker);
  }

  has(broker: object): boolean {
    return this.now() - (this.sinceMs.get(broker) ?? -Infinity) < lastAskedMs;
  }
}
