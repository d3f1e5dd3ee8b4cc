/** Errors after which the group rebalances; the records are delivered again, here or elsewhere. */
const lostMembership = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
]);

/** Whether an error says that this member's assignment has ended. */
export function isLostMembership(error: unknown): boolean {
  return lostMembership.has(String((error as { type?: unknown } | null)?.type));
}

/** Whether an error, or a cause of it, says that the broker is not the coordinator of the group. */
export function isMisdirected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as { type?: unknown }).type === 'NOT_COORDINATOR_FOR_GROUP') return true;
  return false;
}

const outages = new Set([
  // Also what kafkajs makes of a connection that ends during the log-in. With a wrong password the group goes on trying, as at
  // its start: its file may follow a rotation later than the broker.
  'KafkaJSSASLAuthenticationError',
  'KafkaJSBrokerNotFound',
  'KafkaJSConnectionClosedError',
  'KafkaJSConnectionError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSRequestTimeoutError',
  'KafkaJSTopicMetadataNotLoaded',
]);

/** Whether an error, or a cause of it, is transient: the client says so, or Kafka is unavailable. */
export function isPassing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (outages.has(cause.name) || (cause as { retriable?: unknown }).retriable === true) return true;
  return false;
}
