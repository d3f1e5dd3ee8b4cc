import { KafkaJSRequestTimeoutError } from 'kafkajs';
import { RecordPlace } from './pending-records';

/** The producer's queue is full; nothing was sent. */
export class ProducerOverloadedError extends Error {
  override readonly name = 'ProducerOverloadedError';
  constructor() {
    super('the queue to Kafka is full');
  }
}

/** The deadline passed before the record was sent; it is not in the topic. */
export class DeadlineExceededError extends Error {
  override readonly name: string = 'DeadlineExceededError';
  constructor(message = 'the deadline passed before the record was sent') {
    super(message);
  }
}

/** The record was not sent in time because its partition fails, for other producers too; it is not in the topic. */
export class PartitionUnavailableError extends DeadlineExceededError {
  override readonly name = 'PartitionUnavailableError';
  constructor() {
    super('the partition of the record fails, and the record was not sent in time');
  }
}

/** The record was sent and not acknowledged in time; it may be in the topic. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  constructor(cause?: unknown) {
    super('the record was sent and not acknowledged in time', { cause });
  }
}

/** The broker refuses this record even alone; sending it again would not help. */
export class RecordRefusedError extends Error {
  override readonly name: string = 'RecordRefusedError';
  constructor(
    readonly code: string,
    message = `the broker refused the record: ${code}`,
  ) {
    super(message);
  }
}

/** The record is larger than the broker allows. */
export class RecordTooLargeError extends RecordRefusedError {
  override readonly name = 'RecordTooLargeError';
  constructor(readonly sizeBytes: number) {
    super('MESSAGE_TOO_LARGE', `a record of ${sizeBytes} bytes is larger than the broker takes`);
  }
}

/** Another producer has claimed the name; records sent under it are refused wherever that producer has written. */
export class ProducerFencedError extends Error {
  override readonly name = 'ProducerFencedError';
  constructor() {
    super('another producer has claimed the name');
  }
}

/** The records of one partition were not acknowledged; if they were sent, they may be in the topic. */
export class PartitionFailedError extends Error {
  override readonly name = 'PartitionFailedError';
  constructor(
    partition: string,
    /**
     * The broker's code. NO_LEADER: the partition has none. NO_RESPONSE: its leader does not respond to this client.
     * NOT_CONFIRMED: the reply does not name the partition.
     */
    readonly type: string,
    /** Whether they were sent. */
    readonly isSent = true,
  ) {
    super(`${partition}: ${type}`);
  }
}

/** Records of which some were not acknowledged. */
export class PartlySentError extends Error {
  override readonly name = 'PartlySentError';
  constructor(
    /** The result of each record, in their order. */
    readonly outcomes: readonly (RecordPlace | PartitionFailedError)[],
  ) {
    const failures = outcomes.flatMap((outcome) => (outcome instanceof Error ? [outcome.message] : []));
    super(`partitions were not acknowledged: ${[...new Set(failures)].join(', ')}`);
  }

  /** Whether every record that was sent was acknowledged. */
  get isIntact(): boolean {
    return this.outcomes.every((outcome) => !(outcome instanceof Error) || !outcome.isSent);
  }
}

/** A topic of the request is missing, or this client has no right to it; nothing was sent. */
export class TopicUnavailableError extends Error {
  override readonly name = 'TopicUnavailableError';
  constructor(code: string) {
    super(`a topic of the request is unavailable: ${code}`);
  }
}

/** Broker errors about a record, not about the broker's state. */
const refusals = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);

/** The broker's code when it refuses a record for its content; undefined for errors of its state. */
export function refusalOf(error: unknown): string | undefined {
  const type = typeOf(error);
  return type !== undefined && refusals.has(type) ? type : undefined;
}

/** Whether the broker says that another producer has the name. */
export function isFencedOut(error: unknown): boolean {
  const type = typeOf(error);
  return type === 'INVALID_PRODUCER_EPOCH' || type === 'PRODUCER_FENCED';
}

/** Errors of a whole topic, which a client gets before it sends anything. */
const topicErrors = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'TOPIC_AUTHORIZATION_FAILED', 'INVALID_TOPIC_EXCEPTION']);

/** The code when an error, or a cause of it, says that a topic of the request is unavailable. */
export function topicErrorOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const type = typeOf(cause);
    if (type !== undefined && topicErrors.has(type)) return type;
  }
  return undefined;
}

function typeOf(error: unknown): string | undefined {
  const type = (error as { type?: unknown } | null)?.type;
  return typeof type === 'string' ? type : undefined;
}

/** Whether a request had no response in time; kafkajs wraps the error that made it give up. */
export function isRequestTimeout(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return error instanceof KafkaJSRequestTimeoutError || cause instanceof KafkaJSRequestTimeoutError;
}
