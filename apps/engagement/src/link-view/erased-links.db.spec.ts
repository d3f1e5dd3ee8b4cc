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
