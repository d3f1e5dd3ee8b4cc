import { KafkaMessage } from 'kafkajs';
import { DecodedMessage } from './read-records';
import { UndecodableBatch } from './undecodable-batch';

/** Beyond every real offset, so that the client never takes the message for one that was read before. */
const beyondAllOffsets = String(2n ** 63n - 1n);

const ofNoProducer = { producerId: '-1', inTransaction: false };

interface UndecodableMessage extends DecodedMessage {
  readonly undecodable: UndecodableBatch;
}

/**
 * What stands in a fetch for a batch that cannot be decoded, behind the messages before it: the client hands it through like
 * a message, so that the news of it takes the way of the partition's records and no other partition hears of it.
 */
export function undecodableMessage(batch: UndecodableBatch): UndecodableMessage {
  return { ...emptyMessage, offset: beyondAllOffsets, undecodable: batch };
}

/**
 * A control message, which the client passes without showing it: it tells how far the batches reach whose last records
 * compaction took. Without it a batch without records would be fetched for ever.
 */
export function gapMessage(lastOffset: bigint): DecodedMessage {
  return { ...emptyMessage, offset: String(lastOffset), isControlRecord: true };
}

/** The batch that a message stands for; undefined for a real message. */
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
