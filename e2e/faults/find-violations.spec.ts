import { userEventRecordId } from '@podium/messages';
import { PartnerUnderTest } from '../support/partner-under-test';
import { SendHistory, SentEvent } from './send-history';
import { EventRecord, Outcome } from './run-outcome';
import { findViolations } from './find-violations';

const partner = { platform: 'acme' } as PartnerUnderTest;
const user = { userId: 'user', platformUserId: 'account', account: 'account', token: '' };
const task = { taskId: 'task', platform: 'acme', event: 'deposit', every: 1, startsAtS: 0 };
const createdAtS = Math.floor(Date.now() / 1000);

const nothing: Outcome = {
  records: [],
  inbox: new Set(),
  stored: [],
  awards: [],
  publishedAwards: [],
  counted: new Map(),
  deadLetters: [],
};

/** The outcome of a run of two awarded events; `spoil` removes or adds what a fault would. */
function run(
  spoil: (parts: { history: SendHistory; events: SentEvent[]; outcome: Outcome }) => Partial<Outcome> | void,
): string[] {
  const history = new SendHistory();
  const events = ['a', 'b'].map((id) => history.add(partner, user, { id, name: 'deposit', created_at: createdAtS }));
  for (const event of events) event.accepted.push(Date.now());
  const month = new Date(createdAtS * 1000).getUTCFullYear() * 100 + new Date(createdAtS * 1000).getUTCMonth() + 1;
  const records = events.map(({ fields: { id, name } }): EventRecord => {
    const recordId = userEventRecordId('acme', id);
    const times = { createdAtS, linkedAtS: 1, receivedAtMs: Date.now() };
    return {
      recordId,
      eventId: id,
      platform: 'acme',
      platformUserId: 'account',
      userId: 'user',
      name,
      kind: 'repeatable',
      ...times,
    };
  });
  const outcome: Outcome = {
    records,
    inbox: new Set(records.map(({ recordId }) => recordId)),
    stored: events.map(({ fields: { id, name } }) => ({ platform: 'acme', userId: 'user', month, name, eventId: id })),
    awards: [1, 2].map((n) => ({
      awardId: `award-${n}`,
      taskId: 'task',
      userId: 'user',
      platformUserId: 'account',
      occurrence: `g1:every:${n}`,
      balance: 1,
      // The answer to the first one has number 2.
      published: [1, 3],
    })),
    publishedAwards: ['award-1 1', 'award-1 3', 'award-2 1', 'award-2 1', 'award-2 3'],
    counted: new Map([['acme user deposit', 2]]),
    deadLetters: [],
  };
  const spoiled = { ...outcome, ...spoil({ history, events, outcome }) };
  const found = findViolations({ history, outcome: spoiled, tasks: [task], linkChanges: { probes: [], changes: [] } });
  return found.map(({ invariant, sentence, ids }) => `${invariant} ${sentence}: ${ids.join()}`);
}

describe('the comparison after a fault run', () => {
  it('accepts the expected dead letters', () => {
    const history = new SendHistory();
    const outcome: Outcome = { ...nothing, deadLetters: ['topic[0]@7', 'topic[0]@7', 'topic[0]@8'] };
    const run = { history, outcome, tasks: [], linkChanges: { probes: [], changes: [] } };
    const found = findViolations({ ...run, expectedDeadLetters: new Set(['topic[0]@7']) });
    expect(found.map(({ ids }) => ids)).toEqual([['topic[0]@8']]);
  });

  it('finds no violation in a run without faults, even with duplicate records in the topics', () => {
    expect(run(({ outcome }) => ({ records: [...outcome.records, outcome.records[0]] }))).toEqual([]);
  });

  it.each<[string, Parameters<typeof run>[0]]>([
    ['V1 answered 200 accepted and not in the topic: b', ({ outcome }) => ({ records: outcome.records.slice(0, 1) })],
    [
      'V14 answered 200 duplicate alone and not in the topic: c',
      ({ history }) =>
        void history.add(partner, user, { id: 'c', name: 'deposit', created_at: createdAtS }).duplicate.push(1),
    ],
    ['V1 answered 200 and not in the inbox: b', ({ outcome }) => ({ inbox: new Set([...outcome.inbox].slice(0, 1)) })],
    [
      `V1 in the topic, though every answer was a refusal: ${userEventRecordId('acme', 'b')}`,
      ({ events }) => void events[1].accepted.pop(),
    ],
    ['V1 records went to the dead letters: topic[0]@7', () => ({ deadLetters: ['topic[0]@7'] })],
    [
      'V1 the history has more events than were accepted: user every 1 deposit: 3 of 2',
      () => ({ counted: new Map([['acme user deposit', 3]]) }),
    ],
    [
      'V1 the history has more events than were accepted: stranger every 1 deposit: 1 of 0',
      ({ outcome }) => ({ counted: new Map([...outcome.counted, ['acme stranger deposit', 1]]) }),
    ],
    [
      'V2 more awards than the events are due: stranger every 1 deposit: 1 of 0',
      ({ outcome }) => ({ awards: [...outcome.awards, { ...outcome.awards[0], userId: 'stranger' }] }),
    ],
    [
      'V2 fewer awards than the events are due: user every 1 deposit: 1 of 2',
      ({ outcome }) => ({ awards: outcome.awards.slice(1) }),
    ],
    [
      'V2 two awards for one user and occurrence: task user g1:every:1',
      ({ outcome }) => ({ awards: [...outcome.awards, { ...outcome.awards[0], awardId: 'award-3' }] }),
    ],
    [
      'V2 issues minus reversals not 0 or 1: award-1',
      ({ outcome }) => ({ awards: [{ ...outcome.awards[0], balance: 2 }] }),
    ],
    [
      'V2 in the ledger and not in the topic: award-2 1',
      () => ({ publishedAwards: ['award-1 1', 'award-1 3', 'award-2 3'] }),
    ],
    [
      'V2 in the topic and not in the ledger: award-9 1',
      ({ outcome }) => ({ publishedAwards: [...outcome.publishedAwards, 'award-9 1'] }),
    ],
    [
      'V7 a valid event was refused: a: 404 user_not_linked',
      ({ events }) => void events[0].refused.push({ atMs: 1, status: 404, code: 'user_not_linked' }),
    ],
  ])('finds %s', (violation, spoil) => {
    expect(run(spoil)).toContain(violation);
  });

  it('finds an event that is not stored, and one that should have been removed', () => {
    expect(run(({ outcome }) => ({ stored: outcome.stored.slice(1) }))).toEqual([
      expect.stringMatching(/^V1 not in the event store: .* a$/),
    ]);
    expect(run(({ outcome }) => ({ stored: [...outcome.stored, { ...outcome.stored[0], eventId: 'old' }] }))).toEqual([
      expect.stringMatching(/^V12 in the event store, though not among the newest: .* old$/),
    ]);
  });

  describe('of users who are unlinked one after the other', () => {
    const other = { userId: 'other', platformUserId: 'other', account: 'other', token: '' };
    const changes = [
      { user, askedAtMs: 9_000, unlinkedAtMs: 10_000, relinkAtMs: 20_000, relinkedAtMs: 21_000 },
      { user: other, askedAtMs: 24_000, unlinkedAtMs: 25_000, relinkAtMs: 35_000, relinkedAtMs: 36_000 },
    ];

    /** The violations of V3 by an event of a user that was accepted, or refused as one of nobody, at this time. */
    function violationsOf(of: typeof user, answer: 'accepted' | 'refused', atMs: number): string[] {
      const history = new SendHistory();
      const event = history.add(partner, of, { id: 'event', name: 'bet', created_at: 0 });
      if (answer === 'accepted') event.accepted.push(atMs);
      else event.refused.push({ atMs, status: 404, code: 'user_not_linked' });
      const found = findViolations({ history, outcome: nothing, tasks: [], linkChanges: { probes: [event], changes } });
      return found.filter(({ invariant }) => invariant === 'V3').map(({ sentence }) => sentence);
    }

    it.each([
      ['accepted', user, 16_900, []],
      ['accepted', user, 17_100, ['accepted after the unlinking was confirmed']],
      ['accepted', user, 33_000, []],
      ['accepted', other, 17_100, []],
      ['accepted', other, 33_000, ['accepted after the unlinking was confirmed']],
      ['refused', user, 15_000, []],
      ['refused', user, 27_000, ['refused as not linked after the link was ready']],
      ['refused', other, 27_000, []],
      ['refused', other, 42_000, ['refused as not linked after the link was ready']],
    ] as const)('judges one that is %s by the changes of its own user: %#', (answer, of, atMs, expected) => {
      expect(violationsOf(of, answer, atMs)).toEqual(expected);
    });
  });
});
