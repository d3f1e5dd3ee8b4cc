import { ClockSkew } from './clocks/skewed-clocks';
import { SendHistory, SentEvent } from './send-history';
import { LinkChange } from './link-changes';
import { acceptedWhileUnlinked } from './link-violations';
import { lostEvents } from './lost-events';
import { EventRecord, LedgerAward, Outcome } from './run-outcome';
import { Violation } from './violation';

/** A task that counts events of one name, for the comparison with the sent events. */
export interface CountedTask {
  readonly taskId: string;
  readonly platform: string;
  readonly event: string;
  readonly every: number;
  /** Unix seconds. */
  readonly startsAtS: number;
}

const cap = 500;

/** Compares the partners' view with topics and tables; empty when all invariants held. */
export function findViolations(run: {
  history: SendHistory;
  outcome: Outcome;
  tasks: readonly CountedTask[];
  linkChanges: { probes: readonly SentEvent[]; changes: readonly LinkChange[] };
  /** Positions of invalid records, which must become dead letters. */
  expectedDeadLetters?: ReadonlySet<string>;
  /** Periods in which a clock that stamps events was skewed, Unix ms. */
  skews?: readonly ClockSkew[];
}): Violation[] {
  const { history, outcome, tasks, linkChanges, expectedDeadLetters = new Set(), skews = [] } = run;
  const accepted = new Map(outcome.records.map((record) => [record.recordId, record]));
  return [
    ...lostEvents(history, outcome, accepted, expectedDeadLetters),
    ...notStored(outcome, accepted),
    ...wrongCounts(outcome, accepted, tasks),
    ...paidTwice(outcome),
    ...acceptedWhileUnlinked(linkChanges, outcome.records, skews),
    ...wronglyRefused(history, linkChanges.probes),
  ].filter(({ ids }) => ids.length > 0);
}

/** V1, V12: exactly the newest 500 per user, month and name are stored, without repeatable events older than six months. */
function notStored({ stored }: Outcome, accepted: ReadonlyMap<string, EventRecord>): Violation[] {
  const groups = new Map<string, EventRecord[]>();
  for (const record of accepted.values()) {
    if (record.kind === 'repeatable' && record.createdAtS < retentionCutoffS()) continue;
    const key = storeKey(record.platform, record.userId, monthOf(record.createdAtS), record.name);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const expected = new Set<string>();
  for (const [key, records] of groups) {
    const newestFirst = records.sort((a, b) => b.createdAtS - a.createdAtS || (a.eventId < b.eventId ? 1 : -1));
    for (const { eventId } of newestFirst.slice(0, cap)) expected.add(`${key} ${eventId}`);
  }
  const sizes = new Map<string, number>();
  const found = new Set<string>();
  for (const { platform, userId, month, name, eventId } of stored) {
    const key = storeKey(platform, userId, month, name);
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
    found.add(`${key} ${eventId}`);
  }
  return [
    {
      invariant: 'V12',
      sentence: 'more than 500 stored',
      ids: [...sizes].filter(([, size]) => size > cap).map(([key]) => key),
    },
    {
      invariant: 'V1',
      sentence: 'not in the event store',
      loss: 'lost',
      ids: [...expected].filter((row) => !found.has(row)),
    },
    {
      invariant: 'V12',
      sentence: 'in the event store, though not among the newest',
      ids: [...found].filter((row) => !expected.has(row)),
    },
  ];
}

/** V1, V2: the history has every distinct event once, and the number of valid awards matches it. */
function wrongCounts(
  outcome: Outcome,
  accepted: ReadonlyMap<string, EventRecord>,
  tasks: readonly CountedTask[],
): Violation[] {
  const standing = new Map<string, Map<string, number>>();
  for (const { taskId, userId, balance } of outcome.awards) {
    const users = standing.get(taskId) ?? new Map<string, number>();
    standing.set(taskId, users.set(userId, (users.get(userId) ?? 0) + balance));
  }
  const wrong = {
    uncounted: [] as string[],
    overcounted: [] as string[],
    unpaid: [] as string[],
    overpaid: [] as string[],
  };
  for (const { taskId, platform, event, every, startsAtS } of tasks) {
    const events = new Map<string, { count: number; before: number }>();
    for (const { userId, createdAtS, ...record } of accepted.values()) {
      if (record.platform !== platform || record.name !== event) continue;
      const { count, before } = events.get(userId) ?? { count: 0, before: 0 };
      events.set(userId, { count: count + 1, before: before + (createdAtS < startsAtS ? 1 : 0) });
    }
    const awards = standing.get(taskId) ?? new Map<string, number>();
    // Also those of whom no event was accepted: nothing is due to them.
    for (const userId of new Set([...events.keys(), ...awards.keys(), ...usersIn(outcome.counted, platform, event)])) {
      const { count, before } = events.get(userId) ?? { count: 0, before: 0 };
      const counted = outcome.counted.get(`${platform} ${userId} ${event}`) ?? 0;
      const awarded = awards.get(userId) ?? 0;
      // What the events of before the start had passed is not owed, whenever they were received.
      const due = Math.floor(count / every) - Math.floor(before / every);
      const of = `${userId} every ${every} ${event}`;
      if (counted < count) wrong.uncounted.push(`${of}: ${counted} of ${count}`);
      if (counted > count) wrong.overcounted.push(`${of}: ${counted} of ${count}`);
      if (awarded < due) wrong.unpaid.push(`${of}: ${awarded} of ${due}`);
      if (awarded > due) wrong.overpaid.push(`${of}: ${awarded} of ${due}`);
    }
  }
  return [
    {
      invariant: 'V1',
      sentence: 'the history has fewer events than were accepted',
      ids: wrong.uncounted,
      loss: 'lost',
    },
    {
      invariant: 'V1',
      sentence: 'the history has more events than were accepted',
      ids: wrong.overcounted,
      loss: 'twice',
    },
    { invariant: 'V2', sentence: 'fewer awards than the events are due', ids: wrong.unpaid, loss: 'lost' },
    { invariant: 'V2', sentence: 'more awards than the events are due', ids: wrong.overpaid, loss: 'twice' },
  ];
}

/** The users of a platform who have a history of an event. */
function usersIn(counted: Outcome['counted'], platform: string, event: string): string[] {
  const [before, after] = [`${platform} `, ` ${event}`];
  return [...counted.keys()]
    .filter((key) => key.startsWith(before) && key.endsWith(after))
    .map((key) => key.slice(before.length, -after.length));
}

/** V2: one award per occurrence, at most one unreversed issue of each, and ledger and topic have the same entries. */
function paidTwice({ awards, publishedAwards }: Outcome): Violation[] {
  const published = new Set(publishedAwards);
  const ofUser = (award: LedgerAward): string => `${award.taskId} ${award.userId} ${award.occurrence}`;
  const ofAccount = (award: LedgerAward): string => `${award.taskId} ${award.platformUserId} ${award.occurrence}`;
  const ledger = new Set(awards.flatMap((award) => award.published.map((seq) => `${award.awardId} ${seq}`)));
  return [
    {
      invariant: 'V2',
      sentence: 'two awards for one user and occurrence',
      loss: 'twice',
      ids: repeated(awards.map(ofUser)),
    },
    {
      invariant: 'V2',
      sentence: 'two awards for one account and occurrence',
      loss: 'twice',
      ids: repeated(awards.map(ofAccount)),
    },
    {
      invariant: 'V2',
      sentence: 'issues minus reversals not 0 or 1',
      loss: 'twice',
      ids: awards.filter(({ balance }) => balance !== 0 && balance !== 1).map(({ awardId }) => awardId),
    },
    {
      invariant: 'V2',
      sentence: 'in the ledger and not in the topic',
      ids: [...ledger].filter((entry) => !published.has(entry)),
    },
    {
      invariant: 'V2',
      sentence: 'in the topic and not in the ledger',
      ids: [...published].filter((entry) => !ledger.has(entry)),
    },
  ];
}

/** V7: a valid event of a linked user is never refused, and every error response is documented. */
function wronglyRefused(history: SendHistory, probes: readonly SentEvent[]): Violation[] {
  const isProbe = new Set(probes);
  const refused = [...history.events.values()].flatMap((event) =>
    event.refused
      .filter(({ code }) => !(isProbe.has(event) && code === 'user_not_linked'))
      .map(({ status, code }) => `${event.fields.id}: ${status} ${code}`),
  );
  return [
    { invariant: 'V7', sentence: 'a valid event was refused', ids: refused },
    { invariant: 'V7', sentence: 'an undocumented response', ids: history.wrongAnswers },
  ];
}

function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return keys.filter((key) => seen.size === seen.add(key).size);
}

function storeKey(platform: string, userId: string, month: number, name: string): string {
  return `${platform} ${userId} ${month} ${name}`;
}

function monthOf(atS: number): number {
  const date = new Date(atS * 1000);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

/** Six calendar months ago; no event of a run lies near it. */
function retentionCutoffS(): number {
  const cutoff = new Date();
  cutoff.setUTCDate(1);
  cutoff.setUTCMonth(cutoff.getUTCMonth() - 6);
  return cutoff.getTime() / 1000;
}
