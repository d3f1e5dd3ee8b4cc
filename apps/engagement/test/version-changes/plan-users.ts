import type { SeededRandom } from '@podium/testing/seeded-random';
import type { LinkData, UserEventData } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import type { LinkPeriod } from '../../src/evaluation/history';

/** A record of a link. */
export interface LinkChange {
  readonly data: LinkData;
  readonly revision: number;
}

/** An event as it is accepted. */
export interface PlannedEvent {
  readonly data: UserEventData;
  /** Whether it is applied before the clock moves on. */
  readonly isAwaited: boolean;
}

/** A user of a plan. */
export interface PlannedUser {
  readonly userId: string;
  /**
   * Whether each of their events is applied before its second, and no link ends: at no instant the engine knows less than the
   * oracle, so that the ledger and the topics have exactly what the oracle finds.
   */
  readonly isExact: boolean;
  readonly links: readonly LinkPeriod[];
}

/** A user with the records of their links and events, by the step in which these are sent. */
export interface UserPlan extends PlannedUser {
  readonly linkChanges: ReadonlyMap<number, readonly LinkChange[]>;
  readonly events: ReadonlyMap<number, readonly PlannedEvent[]>;
}

interface UserPlace {
  readonly platform: string;
  readonly number: number;
  readonly isExact: boolean;
  /** Unix seconds of the steps. */
  readonly clock: readonly number[];
}

const dayS = 86_400;

/** A user of a plan. Links change exactly at the seconds of steps, and their records are sent in them. */
export function planUser(choices: SeededRandom, place: UserPlace): UserPlan {
  const userId = `${place.isExact ? 'exact' : 'other'}-${place.number}`;
  const linked = planLinks(choices, { ...place, userId });
  const events = place.isExact
    ? eventsAhead(choices, { ...place, userId, links: linked.periods })
    : eventsBehind(choices, { ...place, userId, links: linked.periods });
  return { userId, isExact: place.isExact, links: linked.periods, linkChanges: linked.changes, events };
}

/** Accounts are unlinked, linked again and replaced by others, except those of exact users. */
function planLinks(
  choices: SeededRandom,
  { platform, userId, isExact, clock }: UserPlace & { readonly userId: string },
): { readonly periods: LinkPeriod[]; readonly changes: Map<number, LinkChange[]> } {
  const periods: LinkPeriod[] = [];
  const changes = new Map<number, LinkChange[]>();
  let revision = 0;
  const tell = (step: number, { linkedAt, unlinkedAt, account }: LinkPeriod): void => {
    const data: LinkData = {
      ...{ link_id: `link-of-${account}`, integration_id: platform, platform, organizer_id: 'organizer-1' },
      ...{ platform_user_id: account, user_id: userId, linked_at: linkedAt },
      ...(unlinkedAt === null ? { state: 'ready' } : { state: 'unlinked', unlinked_at: unlinkedAt }),
    };
    changes.set(step, [...(changes.get(step) ?? []), { data, revision: ++revision }]);
  };
  const begin = (step: number, linkedAt: number, account: string): void => {
    periods.push({ linkedAt, unlinkedAt: null, account });
    tell(step, periods[periods.length - 1]);
  };
  let step = choices.chance(0.7) ? 0 : choices.whole(1, 12);
  const firstAt = step === 0 ? clock[0] - choices.whole(3_600, 20 * dayS) : clock[step];
  begin(step, firstAt, `${userId}-a`);
  if (isExact) return { periods, changes };
  for (let count = choices.whole(0, 3); count > 0; count--) {
    step += choices.whole(4, 16);
    if (step >= clock.length - 4) break;
    const last = periods.length - 1;
    const { account } = periods[last];
    periods[last] = { ...periods[last], unlinkedAt: clock[step] };
    const next = choices.chance(0.5) ? account : `${userId}-${'abcd'[periods.length]}`;
    const isReconnect = next === account && choices.chance(0.4);
    if (!isReconnect) {
      tell(step, periods[last]);
      if (choices.chance(0.6)) step += choices.whole(1, 6);
      if (choices.chance(0.2) || step >= clock.length - 2) break;
    }
    // In the second of the unlinking only another account is linked.
    if (!isReconnect && next === account && clock[step] === periods[last].unlinkedAt) step++;
    begin(step, clock[step], next);
  }
  return { periods, changes };
}

interface EventsPlace extends UserPlace {
  readonly userId: string;
  readonly links: readonly LinkPeriod[];
}

/** Events that are applied before their second, after one of each name from before all definitions. */
function eventsAhead(choices: SeededRandom, place: EventsPlace): Map<number, PlannedEvent[]> {
  const { clock, links } = place;
  const events = new Map<number, PlannedEvent[]>();
  const make = eventMaker(choices, place);
  const add = (step: number, createdAt: number, name?: string): void => {
    const data = make(createdAt, clock[step], name);
    if (data) events.set(step, [...(events.get(step) ?? []), { data, isAwaited: true }]);
  };
  if (links[0].linkedAt < clock[0] && choices.chance(0.8))
    for (const name of ['deposit', 'bet', 'kyc']) add(0, clock[0] - choices.whole(1, 3_600), name);
  for (let step = 0; step < clock.length - 1; step++)
    for (let count = choices.pick([0, 0, 1, 1, 2]); count > 0; count--) {
      const until = Math.min(clock.length - 1, step + choices.pick([1, 1, 1, 2, 4]));
      add(step, choices.whole(clock[step] + 1, clock[until]));
    }
  return events;
}

/** Events that are sent in or after the step of their receipt, in any order, some of them twice. */
function eventsBehind(choices: SeededRandom, place: EventsPlace): Map<number, PlannedEvent[]> {
  const { clock } = place;
  const events = new Map<number, PlannedEvent[]>();
  const make = eventMaker(choices, place);
  for (let step = 1; step < clock.length; step++)
    for (let count = choices.pick([0, 0, 0, 1, 1, 2]); count > 0; count--) {
      const data = make(choices.whole(clock[step - 1] + 1, clock[step]), clock[step]);
      if (data === null) continue;
      const delays = [choices.pick([0, 0, 0, 0, 1, 2, 5, 14]), ...(choices.chance(0.1) ? [choices.whole(0, 9)] : [])];
      for (const delay of delays) {
        const sentIn = Math.min(clock.length - 1, step + delay);
        events.set(sentIn, [...(events.get(sentIn) ?? []), { data, isAwaited: false }]);
      }
    }
  return events;
}

/** Makes events of the link in force at their second; null where the user is not linked. */
function eventMaker(
  choices: SeededRandom,
  { platform, userId, links }: EventsPlace,
): (createdAt: number, receivedAtS: number, name?: string) => PlannedEvent['data'] | null {
  let count = 0;
  return (createdAt, receivedAtS, given) => {
    const knownS = Math.min(createdAt, receivedAtS);
    const link = links.find(({ linkedAt, unlinkedAt }) => linkedAt <= knownS && createdAt < (unlinkedAt ?? Infinity));
    if (!link) return null;
    const name = given ?? choices.pick(['deposit', 'deposit', 'deposit', 'bet', 'bet', 'bet', 'kyc']);
    const attributes: Record<string, string> =
      name === 'deposit'
        ? { amount: choices.pick(['5', '10', '20.5', '40', '120']) }
        : name === 'bet'
          ? { game: choices.pick(['dice', 'chess', 'whist']) }
          : { status: choices.pick(['passed', 'passed', 'passed', 'failed']) };
    const data = userEvent({
      ...{ id: `${userId}-${++count}`, name, createdAt, attributes, platform, userId, platformUserId: link.account },
      receivedAt: receivedAtS * 1000,
    });
    return { ...data, linked_at: link.linkedAt };
  };
}
