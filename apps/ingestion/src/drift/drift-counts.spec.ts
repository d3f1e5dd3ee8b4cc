import { DriftCounts, SeenEvent, maxNamesPerDay } from './drift-counts';

const noonMs = Date.UTC(2026, 5, 1, 12);
const dayMs = 24 * 60 * 60 * 1000;

function seen(changes: Partial<SeenEvent> = {}): SeenEvent {
  const none = { dropped: [], typed: [], notParsed: [] };
  return { platform: 'acme', name: 'deposit', isNegotiated: true, ...none, ...changes };
}

describe('DriftCounts', () => {
  let nowMs: number;
  let counts: DriftCounts;
  beforeEach(() => {
    nowMs = noonMs;
    counts = new DriftCounts(() => nowMs);
  });
  const shown = (): unknown[] =>
    counts
      .take()
      .map(({ day, event, attribute, sent, notNegotiated, dropped, notParsed }) => [
        ...[day, event, attribute, sent, notNegotiated, dropped, notParsed],
      ]);

  it('says how often a name was sent, also before it had drift, and nothing of names without', () => {
    for (let times = 0; times < 3; times++) counts.add(seen({ typed: ['amount', 'count'] }));
    expect(shown()).toEqual([]);
    counts.add(seen({ typed: ['amount', 'count'], notParsed: ['amount'], dropped: ['campaign'] }));
    counts.add(seen({ name: 'Deposit', isNegotiated: false }));
    expect(shown()).toEqual([
      ['2026-06-01', 'deposit', 'amount', 4, 0, 0, 1],
      ['2026-06-01', 'deposit', 'campaign', 1, 0, 1, 0],
      ['2026-06-01', 'Deposit', '', 1, 1, 0, 0],
    ]);
    expect(shown()).toEqual([]);
    counts.add(seen({ typed: ['amount'] }));
    expect(shown()).toEqual([['2026-06-01', 'deposit', 'amount', 1, 0, 0, 0]]);
  });

  it('counts names above the limit together, and still each that is negotiated', () => {
    for (let name = 0; name < maxNamesPerDay + 50; name++) counts.add(seen({ dropped: [`a-${name}`] }));
    counts.add(seen({ name: 'odd', isNegotiated: false }));
    counts.add(seen({ typed: ['amount'], notParsed: ['amount'] }));
    counts.add(seen({ platform: 'zenith', dropped: ['own'] }));
    const taken = counts.take();
    expect(taken).toHaveLength(maxNamesPerDay + 3);
    expect(taken.find(({ event }) => event === '')).toMatchObject({ sent: 51, dropped: 50, notNegotiated: 1 });
    expect(taken.find(({ attribute }) => attribute === 'amount')).toMatchObject({ sent: 1, notParsed: 1 });
    expect(taken.find(({ platform }) => platform === 'zenith')).toMatchObject({ attribute: 'own' });
  });

  it('has a limit of names over all platforms', () => {
    for (let platform = 0; platform < 150; platform++)
      for (let name = 0; name < maxNamesPerDay; name++)
        counts.add(seen({ platform: `p-${platform}`, name: `n-${name}`, isNegotiated: false }));
    const taken = counts.take();
    expect(taken.length).toBeLessThanOrEqual(20_000 + 150);
    expect(taken.reduce((sum, { notNegotiated }) => sum + notNegotiated, 0)).toBe(150 * maxNamesPerDay);
  });

  it('loses no count that could not be stored, over midnight too', () => {
    counts.add(seen({ dropped: ['campaign'] }));
    counts.putBack(counts.take());
    counts.add(seen({ dropped: ['campaign'] }));
    const unstored = counts.take();
    expect(unstored).toMatchObject([{ sent: 2, dropped: 2, firstAtMs: noonMs }]);
    nowMs += dayMs;
    counts.add(seen({ dropped: ['campaign'] }));
    counts.putBack(unstored);
    expect(shown()).toEqual([
      ['2026-06-01', 'deposit', 'campaign', 2, 0, 2, 0],
      ['2026-06-02', 'deposit', 'campaign', 1, 0, 1, 0],
    ]);
  });
});
