import { setTimeout as sleep } from 'node:timers/promises';
import { ReadsFirst } from './reads-first';

describe('changes beside reads', () => {
  it('come without bounds, and at the same time, while nobody reads', async () => {
    const changes = new ReadsFirst();
    const turns = await Promise.all([changes.takeTurn(), changes.takeTurn()]);
    expect(turns.map(({ maxRecords }) => maxRecords)).toEqual([Infinity, Infinity]);
  });

  it('come in small batches, one at a time, while somebody does, and without bounds again after that', async () => {
    let nowMs = 0;
    const changes = new ReadsFirst(() => nowMs);
    changes.noteRead();
    const first = await changes.takeTurn();
    expect(first.maxRecords).toBe(20);
    let hasSecond = false;
    const second = changes.takeTurn().then((turn) => {
      hasSecond = true;
      return turn;
    });
    await sleep(20);
    expect(hasSecond).toBe(false);
    first.end();
    expect((await second).maxRecords).toBe(20);
    (await second).end();
    nowMs = 500;
    expect((await changes.takeTurn()).maxRecords).toBe(Infinity);
  });

  it('leave half of the time to reads', async () => {
    const changes = new ReadsFirst();
    changes.noteRead();
    const first = await changes.takeTurn();
    await sleep(60);
    const endedAtMs = performance.now();
    first.end();
    await changes.takeTurn();
    expect(performance.now() - endedAtMs).toBeGreaterThan(50);
  });
});
