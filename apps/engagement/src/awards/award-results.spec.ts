import { BonusAwardResultData } from '@podium/messages';
import { decideResults, freedIssues } from './award-results';
import { LedgerEntry } from './ledger-entry';

const issued: LedgerEntry = { seq: 1, kind: 'issued', answersSeq: null };
const reversed: LedgerEntry = { seq: 3, kind: 'reversed', answersSeq: null };
const confirmed: LedgerEntry = { seq: 2, kind: 'confirmed', answersSeq: 1 };

describe('results of the bonus engine', () => {
  it('become the next entry of the ledger', () => {
    expect(decide([issued], answer('rejected', 1, 'account closed'))).toEqual([
      {
        kind: 'applied',
        entry: { awardId: 'a', seq: 2, kind: 'rejected', answersSeq: 1, reason: 'account closed' },
        freedSeq: 1,
      },
    ]);
  });

  it('are applied once within a batch and across batches; the first result stays', () => {
    expect(kinds([issued], answer('confirmed'), answer('confirmed'), answer('rejected'))).toEqual([
      'applied',
      'repeated',
      'contradicting',
    ]);
    expect(kinds([issued, confirmed], answer('confirmed'), answer('rejected'))).toEqual(['repeated', 'contradicting']);
  });

  it('answer a reversal by its own number', () => {
    expect(decide([issued, confirmed, reversed], answer('confirmed', 3))).toEqual([
      expect.objectContaining({ entry: expect.objectContaining({ seq: 4, answersSeq: 3 }) }),
    ]);
  });

  it('take their old number again between entries restored from a topic', () => {
    expect(decide([issued, reversed], answer('confirmed'))).toEqual([
      expect.objectContaining({ entry: expect.objectContaining({ seq: 2, answersSeq: 1 }) }),
    ]);
  });

  it('free the units of an issue once: when it is rejected, or its reversal confirmed', () => {
    const undone: LedgerEntry = { seq: 2, kind: 'reversed', answersSeq: null };
    const again: LedgerEntry = { seq: 4, kind: 'issued', answersSeq: null };
    expect(freed([issued], answer('rejected'), answer('rejected'))).toEqual([1]);
    expect(freed([issued], answer('confirmed'))).toEqual([]);
    expect(freed([issued, undone], answer('confirmed', 2), answer('rejected', 1))).toEqual([1]);
    expect(freed([issued, undone], answer('rejected', 1), answer('confirmed', 2))).toEqual([1]);
    expect(freed([issued, undone], answer('rejected', 2), answer('confirmed', 1))).toEqual([]);
    expect(freed([issued, undone, again], answer('confirmed', 2), answer('rejected', 4))).toEqual([1, 4]);
    expect(freed([issued, undone, again], answer('rejected', 2), answer('rejected', 4))).toEqual([4]);
  });

  it('are unknown without the award, without the entry, and for an entry that is itself a result', () => {
    expect(decideResults([answer('confirmed')], new Map())).toEqual([{ kind: 'unknown' }]);
    expect(kinds([issued, confirmed], answer('confirmed', 2), answer('confirmed', 9))).toEqual(['unknown', 'unknown']);
  });
});

function answer(result: BonusAwardResultData['result'], seq = 1, reason?: string): BonusAwardResultData {
  return { award_id: 'a', seq, result, reason };
}

function decide(ledger: LedgerEntry[], ...answers: BonusAwardResultData[]): ReturnType<typeof decideResults> {
  return decideResults(answers, new Map([['a', ledger]]));
}

function freed(ledger: LedgerEntry[], ...answers: BonusAwardResultData[]): number[] {
  return freedIssues(decide(ledger, ...answers)).map(({ seq }) => seq);
}

function kinds(ledger: LedgerEntry[], ...answers: BonusAwardResultData[]): string[] {
  return decide(ledger, ...answers).map(({ kind }) => kind);
}
