import { UserEventData } from '@podium/messages';
import { SeededRandom } from '@podium/testing/seeded-random';
import { userEvent } from '@podium/testing/user-event';
import type { Condition, Filter } from '../../src/evaluation/condition';
import type { EngineDefinition } from '../../src/evaluation/definition';
import { segmentOf, taskOf } from '../given-definitions';
import { EngineUnderLoad, pause } from './engine-under-load';
import { Arrivals, LiveEvents, LiveFigures } from './live-events';
import { LoadObserver, noObserver } from './observer';
import { ChangeComparison, ToldChanges, addChange, compareChanges, readToldChanges } from './told-changes';

/** Users who are all due at one instant, while events arrive. */
export interface DueLoad extends Arrivals {
  readonly users: number;
  /** Definitions that fall due, a multiple of 10; two more for each ten get the arriving events. */
  readonly definitions: number;
}

/** The measured load. */
export interface DueFigures extends ChangeComparison {
  /** Users due at the instant, counted in the table. */
  readonly dueUsers: number;
  /** From the instant until nothing is due. */
  readonly durationMs: number;
  readonly before: LiveFigures;
  readonly during: LiveFigures;
}

const daysBefore = 7;
const dueS = Date.parse('2026-03-10T00:00:00Z') / 1000;
const eventS = dueS - daysBefore * 86_400;
/** Definitions over each event name that fall due: eight segments that users leave, one that they enter, and a task. */
const perName = 10;
const leftSlots = 8;
const absentSlot = 8;
const live = 'live';

/**
 * Lets all users fall due at midnight, each in one of the definitions, while events arrive that concern the same histories,
 * and compares what was told with what follows from the generated events.
 */
export async function measureDue(load: DueLoad, observer: LoadObserver = noObserver): Promise<DueFigures> {
  const engine = await EngineUnderLoad.create(load);
  try {
    const names = load.definitions / perName;
    const definitions = Array.from({ length: names }, (_, name) => definitionsOf(name)).flat();
    engine.publish(definitions);
    await engine.finishSweeps(definitions);
    await engine.addUsers(load.users);
    observer.say('events of all users');
    const expected: ToldChanges = new Map();
    await applyFirstEvents(engine, load, expected);
    await engine.analyze();
    const { rows } = await engine.pool.query<{ users: number }>(
      `SELECT count(DISTINCT user_ref)::int AS users FROM engagement.due_times WHERE due_at = $1`,
      [dueS],
    );

    observer.say('events arrive, nothing is due');
    engine.setClock((dueS - load.beforeS - load.warmUpS) * 1000);
    const events = new LiveEvents(engine.applier, load, liveEvents(engine, load, expected), observer);
    engine.startBackground();
    events.start();
    await pause(load.warmUpS * 1000);
    events.takeFigures();
    await engine.until(dueS * 1000);
    const before = events.takeFigures();

    observer.say(`${rows[0].users} users are due`);
    await engine.untilSettled(dueS);
    const durationMs = engine.nowMs() - dueS * 1000;
    const during = events.takeFigures();
    await events.stop();
    const comparison = compareChanges(expected, await readToldChanges(engine.pool));
    return { dueUsers: rows[0].users, durationMs, before, during, ...comparison };
  } finally {
    await engine.drop();
  }
}

function nameOf(name: number): string {
  return `event-${name}`;
}

function idOf(name: number, slot: number): string {
  return `00000000-0000-4000-8000-${String(name * 100 + slot).padStart(12, '0')}`;
}

/** Two definitions beside the ten of a name count the events that arrive. */
const liveSlots = { segment: perName, task: perName + 1 };

function definitionsOf(name: number): EngineDefinition[] {
  const filterOf = (slot: string): Filter => ({
    event: nameOf(name),
    where: [{ attribute: 'slot', op: 'eq', value: slot }],
  });
  const week = { rolling: `P${daysBefore}D` } as const;
  const lifetime = { lifetime: true } as const;
  const once = { op: 'gte', value: '1' } as const;
  const inWeek = (slot: number): Condition => ({ count: filterOf(`${slot}`), window: week, ...once });
  const ever = (slot: string): Condition => ({ count: filterOf(slot), window: lifetime, ...once });
  const taskSlot = perName - 1;
  const definitions = [
    ...Array.from({ length: leftSlots }, (_, slot) => segmentOf(idOf(name, slot), inWeek(slot))),
    segmentOf(idOf(name, absentSlot), {
      all: [ever(`${absentSlot}`), { absent: filterOf(`${absentSlot}`), window: week }],
    }),
    taskOf(idOf(name, taskSlot), {
      goal: { all: [ever(`${taskSlot}`), { not: inWeek(taskSlot) }] },
      repeat: { once: true },
    }),
    segmentOf(idOf(name, liveSlots.segment), ever(live)),
    taskOf(idOf(name, liveSlots.task), { goal: ever(live), repeat: { every: '1' }, max_per_user: 1_000 }),
  ];
  return definitions.map((definition) => ({ ...definition, specs: { [nameOf(name)]: { slot: { type: 'string' } } } }));
}

/** One event of each user, which leaves the window of one definition at the instant. */
async function applyFirstEvents(engine: EngineUnderLoad, load: DueLoad, expected: ToldChanges): Promise<void> {
  const names = load.definitions / perName;
  engine.setClock((eventS + 3_600) * 1000);
  const lanes = Array.from({ length: load.lanes }, (_, lane) => lane);
  const events = lanes.map((): UserEventData[] => []);
  for (let user = 0; user < load.users; user++) {
    const [name, slot, createdAt] = [user % names, Math.floor(user / names) % perName, eventS + (user % 3_600)];
    events[user % load.lanes].push(eventOf(user, name, `${slot}`, `first-${user}`, createdAt));
    const change = (text: string): void => addChange(expected, `user-${user}`, idOf(name, slot), text);
    if (slot < leftSlots) change(`in@${createdAt}`);
    change(slot < leftSlots ? `out@${dueS}` : slot === absentSlot ? `in@${dueS}` : `g1:once@${dueS}`);
  }
  await Promise.all(
    lanes.map(async (lane) => {
      for (let from = 0; from < events[lane].length; from += 500)
        await engine.applier.apply(lane, events[lane].slice(from, from + 500));
    }),
  );
}

/** Events of random users under their own names; all of them are awarded, the first of a user makes a member. */
function liveEvents(engine: EngineUnderLoad, load: DueLoad, expected: ToldChanges) {
  const names = load.definitions / perName;
  const random = new SeededRandom(7);
  const made = new Map<number, number>();
  let count = 0;
  return (): { lane: number; data: UserEventData } => {
    const user = Math.floor(random.next() * load.users);
    const name = user % names;
    const createdAt = Math.floor(engine.nowMs() / 1000);
    const before = made.get(user) ?? 0;
    made.set(user, before + 1);
    if (before === 0) addChange(expected, `user-${user}`, idOf(name, liveSlots.segment), `in@${createdAt}`);
    addChange(expected, `user-${user}`, idOf(name, liveSlots.task), `g1:every:${before + 1}@${createdAt}`);
    return { lane: user % load.lanes, data: eventOf(user, name, live, `live-${count++}`, createdAt) };
  };
}

function eventOf(user: number, name: number, slot: string, id: string, createdAt: number): UserEventData {
  return userEvent({
    ...{ id, createdAt, name: nameOf(name), attributes: { slot } },
    ...{ userId: `user-${user}`, platformUserId: `sub-of-${user}` },
  });
}
