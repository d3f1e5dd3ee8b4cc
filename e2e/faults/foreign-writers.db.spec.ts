import { BlackHole, localStack } from '@podium/testing';
import { freePort } from '@podium/testing/free-port';
import { FaultServers } from './fault-servers';
import { ForeignWriters } from './foreign-writers';

const nothing = { answers: [], documents: [] };

/** Foreign writers whose Postgres is at the address that is current at each attempt. */
function writersAt(url: () => string): ForeignWriters {
  const servers = {
    get postgres() {
      return { url: url() };
    },
  };
  return new ForeignWriters(servers as unknown as FaultServers);
}

describe('foreign writers beside a fault of Postgres', () => {
  it('wait until it responds again', async () => {
    const way = await BlackHole.before(localStack().databaseUrl);
    way.stall();
    const resumed = setTimeout(() => way.resume(), 4_000);
    try {
      expect(await writersAt(() => way.urlOf(localStack().databaseUrl)).areApplied(nothing)).toBe(true);
    } finally {
      clearTimeout(resumed);
      await way.close();
    }
  }, 30_000);

  it('wait until another server has taken its address over', async () => {
    const away = new URL(localStack().databaseUrl);
    away.port = String(await freePort());
    const startedMs = Date.now();
    const writers = writersAt(() => (Date.now() < startedMs + 1_000 ? away.href : localStack().databaseUrl));
    expect(await writers.areApplied(nothing)).toBe(true);
  }, 30_000);
});
