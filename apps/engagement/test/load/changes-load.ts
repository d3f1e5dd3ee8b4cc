import { UserEventData } from '@podium/messages';
import { dataSourceOptions } from '@podium/runtime/postgres';
import { freshDatabase } from '@podium/testing';
import { SeededRandom } from '@podium/testing/seeded-random';
import { userEvent } from '@podium/testing/user-event';
import { DataSource } from 'typeorm';
import { Catalogue } from '../../src/definitions/catalogue';
import { Definition } from '../../src/definitions/definition.entity';
import { DefinitionsService } from '../../src/definitions/definitions.service';
import { DefinitionsStore } from '../../src/definitions/definitions.store';
import { migrations, schema } from '../../src/migrations';
import { EventApplier } from '../event-applier';
import { leadingRelay } from '../leading-relay';
import { measuredDefinitions, measuredNames } from '../measured-definitions';
import { storeDefinitions } from '../stored-definitions';
import { pause } from './engine-under-load';
import { addLinkedUsers } from './linked-users';
import { Arrivals, LiveEvents, LiveFigures } from './live-events';
import { LoadObserver, noObserver } from './observer';

/** Changes of one of many stored definitions, while events arrive. */
export interface ChangesLoad extends Arrivals {
  readonly definitions: number;
  readonly users: number;
  /** How many times one is paused or resumed. */
  readonly changes: number;
  /** From one change to the next one, seconds. */
  readonly everyS: number;
}

/** The measured load. */
export interface ChangesFigures {
  /** How many times the epoch of definitions has moved. */
  readonly moves: number;
  readonly before: LiveFigures;
  readonly during: LiveFigures;
}

const operator = { operatorId: 'operator-1', roles: new Map([['organizer-1', ['editor' as const]]]) };
/** Rows of one statement. */
const page = 500;
/** So that the definitions that are changed are spread over all. */
const stride = 7;

/** Pauses and resumes definitions in turn, as operators do, while events arrive. */
export async function measureChanges(load: ChangesLoad, observer: LoadObserver = noObserver): Promise<ChangesFigures> {
  const database = await freshDatabase({ schema, migrations });
  const pool = EventApplier.pool(database.url, load.lanes + 3);
  const relay = await leadingRelay(pool);
  const dataSource = new DataSource(
    dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
  );
  try {
    await dataSource.initialize();
    const definitions = measuredDefinitions(load.definitions, 'other names');
    for (let at = 0; at < definitions.length; at += page)
      await storeDefinitions(dataSource, definitions.slice(at, at + page));
    await addLinkedUsers(pool, 'acme', load.users);
    const store = new DefinitionsStore(dataSource);
    const service = new DefinitionsService(store, new Catalogue());
    const readMoves = async (): Promise<number> => {
      const { rows } = await pool.query<{ epoch: string }>(`SELECT epoch::text FROM engagement.definition_epoch`);
      return Number(rows[0].epoch);
    };

    observer.say('events arrive, no definition changes');
    const events = new LiveEvents(new EventApplier(pool, store, Date.now), load, liveEvents(load), observer);
    events.start();
    await pause(load.warmUpS * 1000);
    events.takeFigures();
    await pause(load.beforeS * 1000);
    const before = events.takeFigures();

    observer.say('definitions change');
    const movesBefore = await readMoves();
    const startedAt = performance.now();
    for (let change = 0; change < load.changes; change++) {
      await pause(startedAt + change * load.everyS * 1000 - performance.now());
      const { kind, definitionId } = definitions[(Math.floor(change / 2) * stride) % definitions.length];
      await service.move(kind, operator, definitionId, change % 2 === 0 ? 'paused' : 'published');
    }
    await pause(load.everyS * 1000);
    const during = events.takeFigures();
    await events.stop();
    return { moves: (await readMoves()) - movesBefore, before, during };
  } finally {
    await dataSource.destroy();
    relay.release();
    await pool.end();
    await database.drop();
  }
}

/** Events of random users, of both names that are measured. */
function liveEvents(load: ChangesLoad) {
  const random = new SeededRandom(11);
  let count = 0;
  return (): { lane: number; data: UserEventData } => {
    const user = Math.floor(random.next() * load.users);
    const attributes = { amount: String(1 + Math.floor(random.next() * 100)), game: `game-${user % 9}` };
    const data = userEvent({
      ...{ id: `event-${count}`, createdAt: Math.floor(Date.now() / 1000), attributes },
      ...{ name: measuredNames[count++ % measuredNames.length], userId: `user-${user}` },
      platformUserId: `sub-of-${user}`,
    });
    return { lane: user % load.lanes, data };
  };
}
