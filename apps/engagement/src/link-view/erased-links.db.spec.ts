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
    expect([await entries(), await tables.members(idle)]).toEqual([['user-1 issued'], []]);
  });

  it('takes back no award when the task is evaluated before the erasure of the user arrives', async () => {
    await erase([]);
    await sweepDefinitions(tables.parts, 10);
    expect((await settleDue(tables.parts, 10)).settled).toBe(2);
    expect(await entries()).toEqual(['user-1 issued']);
  });

  it.each(['is due', 'has a new version'])(
    'takes back no award of a user who has link periods of another account, which somebody else has since, when the task %s',
    async (reason) => {
      tables.given.set(idleDaily);
      await tables.storeLinks(of('sub-2', 12, 'user-1', 5), of('sub-2', 14, 'user-2', 4));
      const before = await entries();
      expect(before[0]).toMatch(/^user-1 issued/);
      await tables.makeDueTimesExact();
      if (reason === 'is due') await tables.pool.query('UPDATE engagement.due_times SET due_at = $1', [nowS - 60]);
      await erase([]);
      const [first] = idleDaily.versions;
      const second = { ...first, version: 2, inForceFrom: nowS };
      if (reason !== 'is due') tables.given.set({ ...idleDaily, versions: [first, second] });
      await sweepDefinitions(tables.parts, 10);
      await settleDue(tables.parts, 10);
      expect(await entries()).toEqual(before);
    },
  );

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

/** A link of that many days. */
function of(account: string, revision: number, userId: string, days: number): LinkRevision {
  const { data, ...rest } = since(revision, userId);
  return { ...rest, data: { ...data, platform_user_id: account, linked_at: nowS - days * dayS } };
}
