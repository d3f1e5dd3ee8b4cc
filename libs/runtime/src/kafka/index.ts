export * from './consuming/batch-errors';
export { BatchHandler } from './consuming/batch-handler';
export * from './consuming/batch-kafka-server';
export * from './positions/catch-up-barrier';
export * from './reading/compacted-topic-view';
export * from './client/create-kafka';
export * from './dead-letters/dead-letter-reference';
export * from './dead-letters/dead-letters';
export * from './topic-administration/create-topics';
export * from './topic-administration/ensure-topics';
export * from './producing/fenced-producer';
export { valueDigest } from './dead-letters/dead-letter-size';
export { keepTrying } from './client/keep-trying';
export * from './client/kafka-connection';
export type { PositionStore } from './positions/partition-positions';
export * from './positions/group-positions';
export * from './consuming/outcomes';
export type { BatchTurn, TakeTurn } from './consuming/batch-turn';
export type { OutgoingRecord, ProducerTopic } from './producing/outgoing-record';
export { partitionOf } from './producing/partitioner';
export { PassedBatches, passedBatchKey } from './undecodable-batches/passed-batches';
export type { RecordPlace } from './producing/pending-records';
export {
  DeadlineExceededError,
  OutcomeUnknownError,
  PartitionFailedError,
  PartitionUnavailableError,
  PartlySentError,
  ProducerFencedError,
  ProducerOverloadedError,
  RecordRefusedError,
  RecordTooLargeError,
  TopicUnavailableError,
  refusalOf,
  topicErrorOf,
} from './producing/producer-errors';
export * from './topic-administration/raise-partitions';
export * from './topic-administration/require-topic';
export type { UndecodableBatch, UndecodableReason } from './record-batches/undecodable-reason';
export * from './producing/record-producer';
export * from './dead-letters/redrive';
export type { RetryPolicy } from './consuming/retry-and-dead-letter-policy';
export * from './reading/scan-topic';
export type { RecordHeaders } from './record-headers/text-headers';
export * from './record-headers/tombstone-revision';
export * from './reading/topic-reader';
