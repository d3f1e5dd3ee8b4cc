import { DecodedMessage } from './read-records';

/** An aborted transaction that the broker names beside the batches of a partition. */
export interface AbortedTransaction {
  readonly producerId: string;
  /** Of its first record in the partition; may be before the requested offset. */
  readonly firstOffset: string;
}

/**
 * Leaves out the records of aborted transactions: those of a producer from the first offset of its transaction to the marker
 * that ends it. Markers stay, because they advance the position. The broker names transactions in the order in which they
 * ended, and several may have begun before the requested offset; kafkajs expects them in the order of their first offsets
 * and begins at most one per message, so it delivers records of transactions that overlap.
 */
export function withoutAborted(
  messages: readonly DecodedMessage[],
  transactions: readonly AbortedTransaction[],
): readonly DecodedMessage[] {
  if (transactions.length === 0) return messages;
  const begins = transactions
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: BigInt(firstOffset) }))
    .sort((a, b) => (a.firstOffset < b.firstOffset ? -1 : a.firstOffset > b.firstOffset ? 1 : 0));
  const aborting = new Set<string>();
  let begun = 0;
  return messages.filter((message) => {
    const offset = BigInt(message.offset);
    for (; begun < begins.length && begins[begun].firstOffset <= offset; begun++)
      aborting.add(begins[begun].producerId);
    const { producerId, inTransaction } = message.batchContext;
    if (!message.isControlRecord) return !(inTransaction && aborting.has(producerId));
    if (isAbortMarker(message)) aborting.delete(producerId);
    return true;
  });
}

/** Type of a control record, after its version: 0 aborts, 1 commits. A record of a user may have the same key. */
function isAbortMarker({ key }: DecodedMessage): boolean {
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}
