import { measureBackfill } from './backfill-load';
import { measureChanges } from './changes-load';
import { measureDue } from './due-load';

/** How fast it is, `npm run bench:engine-load` measures with more users. */
describe('the engine while events arrive', () => {
  const arriving = { perS: 50, lanes: 4, warmUpS: 0.1, beforeS: 0.4, duePollMs: 50 };

  it('tells each change of users who are due at one instant, once and at that instant', async () => {
    const figures = await measureDue({ users: 1_000, definitions: 20, ...arriving });
    expect(figures.wrong).toEqual([]);
    expect(figures.dueUsers).toBe(1_000);
    expect(figures.during.events).toBeGreaterThan(0);
  }, 240_000);

  it('backfills stored events once, killed, paused and resumed, while the old version decides who is a member', async () => {
    const figures = await measureBackfill({ users: 1_000, stored: 20_000, ...arriving, killedS: 0.1, pausedS: 0.7 });
    expect(figures.miscounted).toEqual([]);
    expect(figures.beforeForce.wrong).toEqual([]);
    expect(figures.afterForce.wrong).toEqual([]);
    expect(figures.doneWhilePaused).toBe(0);
    expect(figures.killedAt).toBeLessThan(1);
    expect(figures.pausedAt).toBeLessThan(1);
  }, 240_000);

  it('applies events while definitions are paused and resumed, each in an epoch of its own', async () => {
    const figures = await measureChanges({ definitions: 30, users: 100, changes: 6, everyS: 0.1, ...arriving });
    expect(figures.moves).toBe(6);
    expect(figures.during.events).toBeGreaterThan(0);
  }, 240_000);
});
