import { UserEventData } from '@podium/messages';
import { SeededRandom } from '@podium/testing/seeded-random';
import { userEvent } from '@podium/testing/user-event';
import type { Filter } from '../../src/evaluation/condition';
import type { EngineDefinition, SegmentDefinition } from '../../src/evaluation/definition';
import { segmentOf, taskOf } from '../given-definitions';
import { ToldChanges, addChange } from './told-changes';

const dayS = 86_400;
const segmentId = '00000000-0000-4000-8000-000000000001';
const taskId = '00000000-0000-4000-8000-000000000002';
/** Amounts from here on are counted by the new version. */
const large = 50;
const maxAmount = 100;
const oldBets = 4;
const largeBets = 3;
const condensedEvery = 5;
/** Of the arriving events one in so many is a repeat of a stored one. */
const repeatEvery = 50;

/** What was generated of a user; times are Unix seconds. */
interface GeneratedUser {
  /** `created_at` of deposits that the new version counts. */
  readonly deposits: number[];
  /** `created_at` of all bets. */
  readonly bets: number[];
  deposited: boolean;
  largeBets: number;
}

/**
 * The generated events, and what follows from them, computed without the engine. The segment's first version counts bets; the
 * second one counts large deposits, which nothing has counted, and large bets, of which the single events are gone. A new task
 * counts large deposits too.
 */
export class BackfillWorld {
  readonly segment = segmentId;
  readonly publishedS = Date.parse('2026-06-15T10:00:00Z') / 1000;
  readonly inForceS = this.publishedS + 6 * 3_600;
  private readonly random = new SeededRandom(11);
  private readonly users: GeneratedUser[];
  /** Large deposits with which a user is a member; the task asks for one more. */
  private readonly enough: number;
  private arrived = 0;

  constructor(private readonly load: { readonly users: number; readonly stored: number; readonly lanes: number }) {
    this.users = Array.from({ length: load.users }, () => ({ deposits: [], bets: [], deposited: false, largeBets: 0 }));
    this.enough = Math.max(1, Math.round(load.stored / load.users / 2));
  }

  before(): EngineDefinition[] {
    return [this.segmentWith(1)];
  }

  published(): EngineDefinition[] {
    const goal = {
      count: largeOf('deposit'),
      window: { lifetime: true },
      op: 'gte',
      value: `${this.enough + 1}`,
    } as const;
    const task = taskOf(taskId, { goal, repeat: { once: true }, starts_at: this.publishedS });
    const [version] = task.versions;
    return [this.segmentWith(2), { ...task, specs, versions: [{ ...version, inForceFrom: this.publishedS }] }];
  }

  paused(): EngineDefinition[] {
    return this.published().map((each) => (each.kind === 'segment' ? { ...each, paused: true } : each));
  }

  /** Deposits of all users in turn, from 150 to 2 days before the publication. */
  *storedEvents(): Iterable<UserEventData> {
    const { stored } = this.load;
    for (let at = 0; at < stored; at++) {
      const createdAt = this.publishedS - 150 * dayS + Math.floor((at / stored) * 148 * dayS);
      yield this.eventOf(at % this.load.users, 'deposit', this.storedId(at), createdAt);
    }
  }

  /** Bets of some users: old ones, and then a new one with which the old ones are condensed. */
  *condensedEvents(): Iterable<{ nowS: number; events: UserEventData[] }> {
    const users = this.users.flatMap((_, user) => (user % condensedEvery === 0 ? [user] : []));
    for (let turn = 0; turn <= oldBets; turn++) {
      const nowS = this.publishedS - (turn < oldBets ? 130 - turn : 1) * dayS;
      // One of the old ones is left out for some, so that they are no members yet.
      const those = users.filter((user) => turn !== 1 || (user / condensedEvery) % 3 !== 0);
      const events = those
        .filter((user) => turn !== 2 || (user / condensedEvery) % 2 === 0)
        .map((user) => this.eventOf(user, 'bet', `old-${turn}-${user}`, nowS - 60));
      yield { nowS, events };
    }
  }

  /** The next arriving event: a deposit or bet of a random user, or a repeat of a stored event. */
  nextEvent(nowS: number): { lane: number; data: UserEventData } {
    const { users, stored, lanes } = this.load;
    const count = this.arrived++;
    if (count % repeatEvery === 0) {
      const at = Math.floor(this.random.next() * stored);
      const user = at % users;
      return { lane: user % lanes, data: generatedEvent(user, 'deposit', this.storedId(at), nowS, large) };
    }
    const user = Math.floor(this.random.next() * users);
    const name = this.random.chance(0.7) ? 'deposit' : 'bet';
    return { lane: user % lanes, data: this.eventOf(user, name, `live-${count}`, nowS) };
  }

  /** Changes until the second version comes into force. */
  expectedBefore(): ToldChanges {
    const changes: ToldChanges = new Map();
    this.users.forEach(({ bets, deposits }, user) => {
      if (bets.length >= oldBets) addChange(changes, `user-${user}`, segmentId, `in@${inOrder(bets)[oldBets - 1]}`);
      if (deposits.length <= this.enough) return;
      const reachedAt = Math.max(this.publishedS, inOrder(deposits)[this.enough]);
      addChange(changes, `user-${user}`, taskId, `g1:once@${reachedAt}`);
    });
    return changes;
  }

  /** All changes, when the second version is in force. */
  expectedAfter(): ToldChanges {
    const changes = this.expectedBefore();
    this.users.forEach(({ bets, deposits, largeBets: ofLarge }, user) => {
      const wasMember = bets.length >= oldBets;
      const isMember = deposits.length >= this.enough || ofLarge >= largeBets;
      if (wasMember === isMember) return;
      addChange(changes, `user-${user}`, segmentId, `${isMember ? 'in' : 'out'}@${this.inForceS}`);
    });
    return changes;
  }

  /** Every user and event name of which other counts are kept than were generated. */
  miscounted(found: ReadonlyMap<string, string>): string[] {
    const expected = new Map<string, string>();
    this.users.forEach(({ bets, deposits, deposited, largeBets: ofLarge }, user) => {
      if (deposited) expected.set(`user-${user} deposit`, `${deposits.length}`);
      if (bets.length > 0) expected.set(`user-${user} bet`, `${ofLarge} ${bets.length}`);
    });
    return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) =>
      expected.get(key) === found.get(key) ? [] : [`${key}: expected ${expected.get(key)}, found ${found.get(key)}`],
    );
  }

  private segmentWith(versions: 1 | 2): SegmentDefinition {
    const lifetime = { lifetime: true } as const;
    const first = segmentOf(segmentId, {
      count: { event: 'bet', where: [] },
      window: lifetime,
      op: 'gte',
      value: `${oldBets}`,
    });
    const condition = {
      any: [
        { count: largeOf('deposit'), window: lifetime, op: 'gte', value: `${this.enough}` },
        { count: largeOf('bet'), window: lifetime, op: 'gte', value: `${largeBets}` },
      ],
    } as const;
    const second = { version: 2, generation: 1, inForceFrom: this.inForceS, body: { condition, zone: 'UTC' } };
    return { ...first, specs, versions: versions === 1 ? first.versions : [...first.versions, second] };
  }

  /** Makes an event and notes what follows from it. */
  private eventOf(user: number, name: 'deposit' | 'bet', id: string, createdAt: number): UserEventData {
    const amount = this.random.whole(1, maxAmount);
    const generated = this.users[user];
    if (name === 'bet') {
      generated.bets.push(createdAt);
      if (amount >= large) generated.largeBets++;
    } else {
      generated.deposited = true;
      if (amount >= large) generated.deposits.push(createdAt);
    }
    return generatedEvent(user, name, id, createdAt, amount);
  }

  private storedId(at: number): string {
    return `stored-${at}`;
  }
}

const specs = { deposit: { amount: { type: 'decimal' } }, bet: { amount: { type: 'decimal' } } } as const;

function largeOf(event: string): Filter {
  return { event, where: [{ attribute: 'amount', op: 'gte', value: `${large}` }] };
}

function generatedEvent(user: number, name: string, id: string, createdAt: number, amount: number): UserEventData {
  return userEvent({
    ...{ id, createdAt, name, attributes: { amount: `${amount}` } },
    ...{ userId: `user-${user}`, platformUserId: `sub-of-${user}` },
  });
}

function inOrder(times: readonly number[]): number[] {
  return [...times].sort((a, b) => a - b);
}
