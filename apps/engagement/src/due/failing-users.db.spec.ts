import { queryable } from '@podium/runtime/postgres';
import { AppliedTables, active, deposit, link, linksPlace, newcomers, nowS } from '../../test/applied-tables';
import { storeEvents } from '../event-store/events.store';
import { applyLinks } from '../link-view/apply-links';
import { lockUsers } from '../users/users.store';
import { settleDue } from './settle-due';
import { takeUnmarked } from './take-unmarked';
import { UsersAside } from './users-aside';

describe('a user whose definitions cannot be evaluated', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    await tables.pool.query(`
      CREATE FUNCTION engagement.refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.user_ref IN (SELECT user_ref FROM engagement.users WHERE user_id = 'broken') THEN
          RAISE EXCEPTION 'this user always fails';
        END IF;
        RETURN NEW;
      END $$`);
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    await tables.pool.query(`CREATE OR REPLACE TRIGGER refuse_broken BEFORE INSERT ON engagement.memberships
      FOR EACH ROW EXECUTE FUNCTION engagement.refuse_broken()`);
  });

  const repair = (): Promise<unknown> => tables.pool.query('DROP TRIGGER refuse_broken ON engagement.memberships');

  it('is linked and unlinked alike: the evaluation is due, and no other link waits for it', async () => {
    tables.given.set(newcomers);
    const apply = (...links: ReturnType<typeof link>[]): Promise<unknown> =>
      applyLinks(tables.parts, { ...linksPlace, erased: [], links });
    const broken = link('broken', 'ready', 1);
    await expect(apply(broken, link('user-1', 'ready', 2))).rejects.toThrow('this user always fails');
    expect(await tables.count('links')).toBe(0);
    await apply(broken);
    await apply(link('user-1', 'ready', 2));
    expect(await tables.members(newcomers)).toEqual(['user-1']);
    expect([await tables.count('links'), await tables.count('link_periods'), await tables.count('due_times')]).toEqual([
      ...[2, 2, 1],
    ]);
    await expect(settleDue(tables.parts, 10)).rejects.toThrow('this user always fails');
    await repair();
    await settleDue(tables.parts, 10);
    expect(await tables.members(newcomers)).toEqual(['broken', 'user-1']);
  });

  it('is set aside where events of the release before are taken, with the events', async () => {
    tables.given.set(active);
    await tables.linkUsers('broken', 'user-1');
    for (const userId of ['broken', 'user-1']) {
      const [user] = (await lockUsers(queryable(tables.pool), [{ platform: 'acme', userId }])).values();
      const events = ['a', 'b'].map((id) => ({
        userRef: user.userRef,
        data: { ...deposit(`${id} of ${userId}`, 1, nowS - 60), user_id: userId, linked_at: nowS - 990 },
      }));
      await storeEvents(queryable(tables.pool), events, nowS * 1000);
    }
    await tables.pool.query('UPDATE engagement.events SET in_history = false');
    const aside = new UsersAside();
    await expect(takeUnmarked(tables.parts, 10, aside)).rejects.toThrow('this user always fails');
    for (const message of ['always fails', 'always fails', 'is set aside'])
      await expect(takeUnmarked(tables.parts, 1, aside)).rejects.toThrow(message);
    expect((await takeUnmarked(tables.parts, 1, aside)).users).toBe(1);
    expect((await takeUnmarked(tables.parts, 1, aside)).users).toBe(0);
    expect(await tables.members(active)).toEqual(['user-1']);
    expect(await tables.count('events', 'NOT in_history')).toBe(2);
    await repair();
    expect((await takeUnmarked(tables.parts, 1)).users).toBe(1);
    expect(await tables.members(active)).toEqual(['broken', 'user-1']);
  });
});
