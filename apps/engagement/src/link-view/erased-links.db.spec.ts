import { AppliedTables, link, linksPlace, nowS } from '../../test/applied-tables';
import { deposits, segmentOf, taskOf } from '../../test/given-definitions';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { applyLinks } from './apply-links';
import { LinkRevision } from './links.store';

const dayS = 86_400;
const idle = segmentOf('00000000-0000-4000-8000-000000000021', {
  absent: deposits,
  window: { rolling: 'P2D' },
});
const idleOnce = taskOf('00000000-0000-4000-8000-000000000022', {
  goal: { absent: deposits, window: { rolling: 'P2D' } },
  repeat: { once: true },
  starts_at: nowS - 30 * dayS,
  claw_back: 'always',
});
const idleDaily = taskOf('00000000-0000-4000-8000-000000000023', {
  goal: { not: { count: deposits, window: { rolling: 'P2D' }, op: 'gte', value: '1' } },
  repeat: { per: 'day' },
  starts_at: nowS - 30 * dayS,
  max_per_user: 50,
  claw_back: 'always',
});

describe('the erasure of a link', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    tables.given.set(idle, idleOnce);
    await tables.storeLinks(since(10, 'user-1'));
    expect([await entries(), await tables.members(idle)]).toEqual([['user-1 issued'], ['user-1']]);
  });

  it('ends memberships, and takes back no award that time has decided', async () => {
    await erase([]);
    expect(await tables.count('link_periods')).toBe(0);
    expect([await entries(), await tables.members(idle)]).toEqual([['user-1 issued'], []]);
  });

  it('takes back no award when the task is evaluated before the erasure of the user arrives', async () => {
    await erase([]);
    await sweepDefinitions(tables.parts, 10);
    expect((await settleDue(tables.parts, 10)).settled).toBe(2);
    expect(await entries()).toEqual(['user-1 issued']);
  });

  it('takes back no award either of a user who has link periods of another account, which somebody else has since', async () => {
    tables.given.set(idleDaily);
    const other = (revision: number, userId: string, daysAgo: number): LinkRevision => {
      const { data, ...rest } = since(revision, userId);
      return { ...rest, data: { ...data, platform_user_id: 'sub-2', linked_at: nowS - daysAgo * dayS } };
    };
    await tables.storeLinks(other(12, 'user-1', 5), other(14, 'user-2', 4));
    const before = await entries();
    expect(before[0]).toMatch(/^user-1 issued/);
    await tables.makeDueTimesExact();
    await tables.pool.query('UPDATE engagement.due_times SET due_at = $1', [nowS - 60]);
    await erase([]);
    await settleDue(tables.parts, 10);
    expect(await entries()).toEqual(before);
  });

  it('leaves what is due for a user who had the account before', async () => {
    tables.given.set(idleDaily);
    const { data } = since(12, 'user-2');
    await tables.storeLinks({
      revision: 12,
      data: { ...data, platform_user_id: 'sub-of-user-1', linked_at: nowS - dayS },
    });
    await tables.pool.query('UPDATE engagement.due_times SET due_at = $1', [nowS - 60]);
    await erase([]);
    expect(await dueUsers()).toEqual(['user-1']);
  });

  it('evaluates all for users who link in the same batch', async () => {
    await erase([since(30, 'user-2')]);
    expect(await entries()).toEqual(['user-1 issued', 'user-2 issued']);
    expect(await tables.members(idle)).toEqual(['user-2']);
  });

  async function erase(links: readonly LinkRevision[]): Promise<void> {
    const removed = { revision: 20, everything: false };
    const account = { platform: 'acme', platformUserId: 'sub-of-user-1' };
    await applyLinks(tables.parts, { ...linksPlace, erased: [{ ...account, removed }], links });
  }

  async function dueUsers(): Promise<string[]> {
    const { rows } = await tables.pool.query<{ user_id: string }>(
      `SELECT user_id FROM engagement.due_times JOIN engagement.users USING (user_ref)
       WHERE definition_id = $1 ORDER BY user_id`,
      [idleDaily.definitionId],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async function entries(): Promise<string[]> {
    const { rows } = await tables.pool.query<{ text: string }>(
      `SELECT user_id || ' ' || string_agg(kind, ' ' ORDER BY seq) AS text
       FROM engagement.awards JOIN engagement.ledger_entries USING (award_id) GROUP BY user_id ORDER BY user_id`,
    );
    return rows.map(({ text }) => text);
  }
});

/** A link of ten days. */
function since(revision: number, userId: string): LinkRevision {
  const ready = link(userId, 'ready', revision);
  return { ...ready, data: { ...ready.data, linked_at: nowS - 10 * dayS } };
}
