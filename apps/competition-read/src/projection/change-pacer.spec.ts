import { setTimeout as sleep } from 'node:timers/promises';
import { ChangePacer } from './change-pacer';

describe('the pace of changes', () => {
  it('is unlimited and concurrent while there are no reads', async () => {
    const changes = new ChangePacer();
    const turns = await Promise.all([changes.takeTurn(), changes.takeTurn()]);
    expect(turns.map(({ maxRecords }) => maxRecords)).toEqual([Infinity, Infinity]);
  });

  it('is limited to small batches, one at a time, during reads, and is unlimited again afterwards', async () => {
    let nowMs = 0;
    const changes = new ChangePacer(() => nowMs);
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

  it('leaves half of the time to reads', async () => {
    const changes = new ChangePacer();
    changes.noteRead();
    const first = await changes.takeTurn();
    await sleep(60);
    const endedAtMs = performance.now();
    first.end();
    await changes.takeTurn();
    expect(performance.now() - endedAtMs).toBeGreaterThan(50);
  });
});
