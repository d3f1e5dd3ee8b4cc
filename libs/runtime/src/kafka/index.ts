export * from './batch-errors';
export { BatchHandler } from './batch-handler';
export * from './batch-kafka-server';
export * from './catch-up-barrier';
export * from './compacted-topic-view';
export * from './create-kafka';
export * from './dead-letter-reference';
export * from './dead-letters';
export * from './ensure-topics';
export * from './fenced-producer';
export { valueDigest } from './fitting-letters';
export * from './kafka-connection';
export type { PositionStore } from './partition-positions';
export * from './group-positions';
export * from './outcomes';
export type { BatchTurn, TakeTurn } from './partition-delivery';
export type { OutgoingRecord, ProducerTopic } from './outgoing-record';
export { partitionOf } from './partition-of';
export { PassedBatches, passedBatchKey } from './passed-batches';
export type { RecordPlace } from './pending-records';
export {
  DeadlineExceededError,
  OutcomeUnknownError,
  ProducerFencedError,
  ProducerOverloadedError,
  RecordRefusedError,
  RecordTooLargeError,
} from './producer-errors';
export * from './raise-partitions';
export type { UndecodableBatch, UndecodableReason } from './record-batches/undecodable-batch';
export * from './record-producer';
export * from './redrive';
export type { RetryPolicy } from './retry-policy';
export * from './scan-topic';
export * from './tombstone-revision';
export * from './topic-reader';
