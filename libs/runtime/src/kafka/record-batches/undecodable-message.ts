import { KafkaMessage } from 'kafkajs';
import { DecodedMessage } from './read-records';
import { UndecodableBatch } from './undecodable-reason';

/** Beyond every real offset, so that kafkajs never takes the message for one that was read before. */
const beyondAllOffsets = String(2n ** 63n - 1n);

const ofNoProducer = { producerId: '-1', inTransaction: false };

interface UndecodableMessage extends DecodedMessage {
  readonly undecodable: UndecodableBatch;
}

/**
 * Represents an undecodable batch in a fetch, after the messages before it. kafkajs passes it through like a message, so
 * that it arrives in the order of its partition and affects no other partition.
 */
export function undecodableMessage(batch: UndecodableBatch): UndecodableMessage {
  return { ...emptyMessage, offset: beyondAllOffsets, undecodable: batch };
}

/**
 * A control message, which kafkajs consumes without delivering it. It advances the position past batches whose last records
 * compaction removed. Without it, a batch without records would be fetched forever.
 */
export function gapMessage(lastOffset: bigint): DecodedMessage {
  return { ...emptyMessage, offset: String(lastOffset), isControlRecord: true };
}

interface NothingMessage extends DecodedMessage {
  readonly isNothing: true;
}

/**
 * Represents a fetch with nothing to deliver up to an offset: markers, records of aborted transactions, what compaction removed.
 * kafkajs passes control messages alone without a call, so that positions and lag would stay before them.
 */
export function nothingMessage(lastOffset: bigint): NothingMessage {
  return { ...emptyMessage, offset: String(lastOffset), isNothing: true };
}

/** Whether a message represents a fetch with nothing to deliver. */
export function isNothing(message: KafkaMessage | undefined): boolean {
  return (message as Partial<NothingMessage> | undefined)?.isNothing === true;
}

/** The batch that a message represents; undefined for a real message. */
export function undecodableOf(message: KafkaMessage | undefined): UndecodableBatch | undefined {
  return (message as Partial<UndecodableMessage> | undefined)?.undecodable;
}

const emptyMessage: DecodedMessage = {
  magicByte: 2,
  attributes: 0,
  timestamp: '-1',
  offset: '-1',
  key: null,
  value: null,
  headers: {},
  isControlRecord: false,
  batchContext: ofNoProducer,
};
