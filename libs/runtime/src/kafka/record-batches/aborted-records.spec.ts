import fc from 'fast-check';
import { AbortedTransaction, withoutAborted } from './aborted-records';
import { DecodedMessage } from './read-records';

/** A record of a partition, or the marker that ends a transaction. */
interface Written {
  readonly producer: number;
  readonly transaction: number;
  readonly kind: 'record' | 'plain' | 'commit' | 'abort';
}

const markers = { abort: Buffer.from([0, 0, 0, 0]), commit: Buffer.from([0, 0, 0, 1]) };

function message({ producer, kind }: Written, offset: number): DecodedMessage {
  const isControlRecord = kind === 'commit' || kind === 'abort';
  return {
    ...{ magicByte: 2, attributes: 0, timestamp: '0', value: null, headers: {}, isControlRecord },
    offset: String(offset),
    // Records of users have the key of an abort marker: only the batch says which is one.
    key: isControlRecord ? markers[kind] : markers.abort,
    batchContext: { producerId: String(producer), inTransaction: kind !== 'plain' },
  };
}

/** What the broker names for a fetch: aborted transactions that reach into it, in the order of their markers. */
function abortedIn(log: readonly Written[], from: number): AbortedTransaction[] {
  return log.flatMap(({ producer, transaction, kind }, offset) => {
    if (kind !== 'abort' || offset < from) return [];
    const first = log.findIndex((each) => each.transaction === transaction && each.kind === 'record');
    return [{ producerId: String(producer), firstOffset: String(first) }];
  });
}

/** Interleaves the transactions of producers: each step is one of its producer, which begins, continues or ends one. */
function logOf(steps: readonly (readonly [number, number])[]): Written[] {
  const open = new Map<number, number>();
  let transactions = 0;
  return steps.map(([producer, choice]): Written => {
    const transaction = open.get(producer);
    if (transaction === undefined && choice === 0) return { producer, transaction: -1, kind: 'plain' };
    if (transaction === undefined) {
      open.set(producer, transactions);
      return { producer, transaction: transactions++, kind: 'record' };
    }
    if (choice > 1) return { producer, transaction, kind: 'record' };
    open.delete(producer);
    return { producer, transaction, kind: choice === 0 ? 'abort' : 'commit' };
  });
}

const keptOf = (log: readonly Written[], from: number, offsets: readonly number[]): string[] =>
  withoutAborted(
    offsets.map((offset) => message(log[offset], offset)),
    abortedIn(log, from),
  ).map(({ offset }) => offset);

describe('leaving out the records of aborted transactions', () => {
  it('leaves out those of transactions that overlap, whichever ended first', () => {
    const log: Written[] = [
      { producer: 1, transaction: 1, kind: 'record' },
      { producer: 2, transaction: 2, kind: 'record' },
      { producer: 3, transaction: 3, kind: 'record' },
      { producer: 2, transaction: 2, kind: 'abort' },
      { producer: 1, transaction: 1, kind: 'record' },
      { producer: 1, transaction: 1, kind: 'abort' },
      { producer: 3, transaction: 3, kind: 'commit' },
      { producer: 1, transaction: 4, kind: 'record' },
      { producer: 1, transaction: 4, kind: 'commit' },
    ];
    expect(keptOf(log, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8])).toEqual(['2', '3', '5', '6', '7', '8']);
  });

  it('keeps what was committed, for all interleavings, fetch offsets and gaps of compaction', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.nat({ max: 60 }),
        fc.infiniteStream(fc.boolean()),
        (steps, from, present) => {
          const log = logOf(steps);
          const isAborted = ({ transaction, kind }: Written): boolean =>
            kind === 'record' && log.some((each) => each.kind === 'abort' && each.transaction === transaction);
          // Compaction removes records, and no marker of a transaction that the broker names.
          const offsets = [...log.keys()].filter(
            (offset) => offset >= from && (log[offset].kind === 'abort' || present.next().value),
          );
          expect(keptOf(log, from, offsets)).toEqual(
            offsets.filter((offset) => !isAborted(log[offset])).map((offset) => String(offset)),
          );
        },
      ),
    );
  });
});
