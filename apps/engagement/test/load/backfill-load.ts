import { EngineUnderLoad, pause } from './engine-under-load';
import { BackfillWorld } from './backfill-world';
import { backfilledUsers, countInHistories, waitingUsers } from './backfill-state';
import { Arrivals, LiveEvents, LiveFigures } from './live-events';
import { LoadObserver, noObserver } from './observer';
import { addStoredEvents } from './stored-events';
import { ChangeComparison, compareChanges, readToldChanges } from './told-changes';

/** Stored events that a new version counts, while events arrive. */
export interface BackfillLoad extends Arrivals {
  readonly users: number;
  /** Events of a name that no definition has used. */
  readonly stored: number;
  /** How long background work stays away after it was killed, seconds. */
  readonly killedS: number;
  /** How long the backfill is paused, seconds. */
  readonly pausedS: number;
}

/** The measured load. */
export interface BackfillFigures {
  /** From the publication until all users are evaluated, without the time for which it was killed or paused. */
  readonly durationMs: number;
  readonly before: LiveFigures;
  readonly during: LiveFigures;
  /** What was told before the version came into force: the old one decides, and the new task pays. */
  readonly beforeForce: ChangeComparison;
  /** From the instant at which the version came into force until all changes were told. */
  readonly inForceMs: number;
  readonly afterForce: ChangeComparison;
  /** Users whose counted events are not those that were generated. */
  readonly miscounted: string[];
  /** Users whom the backfill evaluated while the segment was paused. */
  readonly doneWhilePaused: number;
  /** Parts of the users that were done when it was killed and paused. */
  readonly killedAt: number;
  readonly pausedAt: number;
}

/**
 * Publishes a version whose terms nothing has counted yet, kills, pauses and resumes its backfill while events arrive, and
 * compares what was told and counted with what follows from the generated events.
 */
export async function measureBackfill(
  load: BackfillLoad,
  observer: LoadObserver = noObserver,
): Promise<BackfillFigures> {
  const engine = await EngineUnderLoad.create(load);
  try {
    const world = new BackfillWorld(load);
    engine.publish(world.before());
    await engine.finishSweeps(world.before());
    await engine.addUsers(load.users);
    observer.say(`${load.stored} stored events`);
    await addStoredEvents(engine.pool, world.storedEvents());
    observer.say('events of a name that the old version uses');
    for (const { nowS, events } of world.condensedEvents()) {
      engine.setClock(nowS * 1000);
      for (let from = 0; from < events.length; from += 500)
        await engine.applier.apply(load.lanes, events.slice(from, from + 500));
    }
    await engine.analyze();

    observer.say('events arrive, nothing is to be counted');
    engine.setClock((world.publishedS - load.beforeS - load.warmUpS) * 1000);
    const events = new LiveEvents(
      engine.applier,
      load,
      () => world.nextEvent(Math.floor(engine.nowMs() / 1000)),
      observer,
    );
    engine.startBackground();
    events.start();
    await pause(load.warmUpS * 1000);
    events.takeFigures();
    await engine.until(world.publishedS * 1000);
    const before = events.takeFigures();

    observer.say('backfill');
    const startedAt = performance.now();
    engine.publish(world.published());
    const doneOf = async (): Promise<number> => (await backfilledUsers(engine.pool, world.segment, 2)) / load.users;
    const untilDone = async (part: number): Promise<number> => {
      for (let done = await doneOf(); ; done = await doneOf()) {
        if (done >= part) return done;
        // Often for few users, because they are soon done.
        await pause(Math.max(20, load.users / 100));
      }
    };
    await untilDone(0.2);
    await engine.killBackground();
    const killedAt = await doneOf();
    observer.say(`killed when ${percent(killedAt)} of the users were done`);
    await pause(load.killedS * 1000);
    engine.startBackground();
    const pausedAt = await untilDone(0.5);
    observer.say(`paused when ${percent(pausedAt)} were done`);
    engine.publish(world.paused());
    // A round that has begun ends first.
    await pause(500);
    const waiting = await waitingUsers(engine.pool, world.segment);
    await pause(load.pausedS * 1000 - 500);
    const doneWhilePaused = Math.max(0, waiting - (await waitingUsers(engine.pool, world.segment)));
    engine.publish(world.published());
    observer.say('resumed');
    await engine.untilSettled(Math.floor(engine.nowMs() / 1000));
    const durationMs = performance.now() - startedAt - (load.killedS + load.pausedS) * 1000;
    const during = events.takeFigures();
    await events.stop();
    await engine.untilSettled(Math.floor(engine.nowMs() / 1000));
    const beforeForce = compareChanges(world.expectedBefore(), await readToldChanges(engine.pool));

    observer.say('the new version comes into force');
    engine.setClock(world.inForceS * 1000);
    await engine.untilSettled(world.inForceS);
    const inForceMs = engine.nowMs() - world.inForceS * 1000;
    return {
      ...{ durationMs, before, during, beforeForce, inForceMs, doneWhilePaused, killedAt, pausedAt },
      afterForce: compareChanges(world.expectedAfter(), await readToldChanges(engine.pool)),
      miscounted: world.miscounted(await countInHistories(engine.pool, world.published())),
    };
  } finally {
    await engine.drop();
  }
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
