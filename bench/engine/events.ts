import { LinkData, UserEventData } from '@podium/messages';
import { SeededRandom } from '@podium/testing/seeded-random';
import { measuredFromS, measuredNames } from '../../apps/engagement/test/measured-definitions';

const dayS = 86_400;
/** Before the measurement the events are spread over so many days: more than the lateness horizon. */
const historyDays = 45;
const lateDays = 40;
const lateEvery = 100;

/** The links of some users, one after the other. */
export function linksOf(first: number, count: number): { revision: number; data: LinkData }[] {
  return Array.from({ length: count }, (_, at) => {
    const user = first + at;
    return {
      revision: user + 1,
      data: {
        ...{ link_id: `link-${user}`, integration_id: 'integration-1', platform: 'acme', organizer_id: 'organizer-1' },
        ...{ platform_user_id: `sub-of-${user}`, user_id: `user-${user}`, state: 'ready', linked_at: measuredFromS },
      },
    };
  });
}

/** Makes events of random users in the order of time, in batches of a partition; every user belongs to one partition. */
export class Events {
  /** Unix seconds: the time of the newest event. */
  nowS: number;
  private readonly secondsPerEvent: number;
  private made = 0;
  private readonly turns: number[];
  /** With a fixed seed, so that both sides and all runs have the same events. */
  private readonly random = new SeededRandom(42);

  constructor(
    private readonly given: {
      readonly users: number;
      readonly history: number;
      readonly batch: number;
      readonly lanes: number;
    },
    beginS: number,
    private readonly idPrefix: string,
  ) {
    this.nowS = beginS;
    this.turns = Array.from({ length: given.lanes }, () => 0);
    this.secondsPerEvent = (historyDays * dayS) / (given.users * given.history * measuredNames.length);
  }

  /** The next batches, one per partition: in the history of all users in turn, then of random users. */
  nextBatches(isHistory: boolean): UserEventData[][] {
    const { batch, lanes } = this.given;
    return Array.from({ length: lanes }, (_, lane) =>
      Array.from({ length: batch }, () => {
        if (isHistory) return this.nextOfHistory(lane);
        return this.nextEvent(lane + lanes * Math.floor(this.random.next() * this.usersOf(lane)), this.made);
      }),
    );
  }

  /** How many users belong to a partition: the numbers that begin at its own, in steps of the partitions. */
  private usersOf(lane: number): number {
    const { lanes, users } = this.given;
    return Math.ceil((users - lane) / lanes);
  }

  /** Users get from none to twice `history` events of a name, equally many users each: so changes come evenly afterwards. */
  private nextOfHistory(lane: number): UserEventData {
    const { history, lanes } = this.given;
    const users = this.usersOf(lane);
    for (;;) {
      const taken = this.turns[lane]++;
      const user = lane + lanes * (taken % users);
      const turn = Math.floor(taken / users);
      const most = (user * (turn % 2 === 0 ? 1 : 5)) % (2 * history + 1);
      if (Math.floor(turn / measuredNames.length) < most || turn >= 4 * history) return this.nextEvent(user, turn);
    }
  }

  private nextEvent(user: number, turn: number): UserEventData {
    this.made++;
    this.nowS += this.secondsPerEvent;
    const receivedAt = Math.floor(this.nowS);
    return measuredEvent({
      user,
      name: measuredNames[turn % measuredNames.length],
      id: `${this.idPrefix}-${this.made}`,
      createdAt: createdAtOf(receivedAt, this.made),
      receivedAt,
      random: () => this.random.next(),
    });
  }
}

/** When the event that is received as the n-th happened: one in a hundred is later than the lateness horizon. Unix seconds. */
export function createdAtOf(receivedAt: number, n: number): number {
  return receivedAt - (n % lateEvery === 0 ? lateDays * dayS : 1);
}

/** An event of a linked user, with attributes that the measured definitions use; `random` is from 0 to below 1. */
export function measuredEvent(given: {
  readonly user: number;
  readonly name: string;
  readonly id: string;
  readonly createdAt: number;
  readonly receivedAt: number;
  readonly random: () => number;
}): UserEventData {
  const { user, random } = given;
  return {
    ...{ platform: 'acme', platform_user_id: `sub-of-${user}`, user_id: `user-${user}`, link_id: `link-${user}` },
    ...{ linked_at: measuredFromS, integration_id: 'integration-1', organizer_id: 'organizer-1', kind: 'repeatable' },
    event: {
      id: `${given.id}-0123456789abcdef0123`,
      name: given.name,
      created_at: given.createdAt,
      attributes: [
        { name: 'amount', value: `${1 + Math.floor(random() * 100)}.50` },
        { name: 'game', value: `game-${Math.floor(random() * 20)}` },
        { name: 'method', value: 'card' },
      ],
    },
    ...{ contract_version: 1, dropped_attributes: [], received_at: given.receivedAt * 1000 },
  };
}
