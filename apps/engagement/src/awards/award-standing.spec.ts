import { Standing, standingOf } from './award-standing';
import { LedgerEntry } from './ledger-entry';

describe('the standing of an award', () => {
  it.each<[string, Standing]>([
    ['issued', 'issued'],
    ['issued confirmed:1', 'confirmed'],
    ['issued rejected:1', 'rejected'],
    ['issued reversed', 'reversed'],
    ['issued confirmed:1 reversed', 'reversed'],
    ['issued reversed confirmed:2', 'reversed'],
    ['issued reversed rejected:2', 'kept'],
    ['issued confirmed:1 reversed confirmed:3', 'reversed'],
    ['issued confirmed:1 reversed rejected:3', 'kept'],
    // The first issue is answered after the reversal of it.
    ['issued reversed confirmed:1', 'reversed'],
    ['issued reversed rejected:2 confirmed:1', 'kept'],
    ['issued reversed confirmed:2 issued', 'issued'],
    ['issued reversed issued confirmed:2', 'issued'],
    ['issued reversed issued rejected:3', 'rejected'],
  ])('with the ledger %s is %s', (ledger, standing) => {
    const entries = ledger.split(' ').map((text, at) => {
      const [kind, answered] = text.split(':') as [LedgerEntry['kind'], string?];
      return { seq: at + 1, kind, answersSeq: answered === undefined ? null : Number(answered) };
    });
    expect(standingOf(entries)).toBe(standing);
  });
});
