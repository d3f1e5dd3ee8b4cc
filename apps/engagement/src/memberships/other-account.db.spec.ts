import { SegmentMembershipData } from '@podium/messages';
import { AppliedTables, link, newcomers, nowS } from '../../test/applied-tables';
import { settleDue } from '../due/settle-due';
import type { LinkRevision } from '../link-view/links.store';

const linkedS = nowS - 900;
const unlinkedS = nowS - 600;
const linkedAgainS = nowS - 300;
const first = linkOf('account-1', 'ready', 1, linkedS);
const ended = linkOf('account-1', 'unlinked', 2, linkedS);
const other = linkOf('account-2', 'ready', 3, linkedAgainS);

describe('a member who links another account', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    tables.given.set(newcomers);
    await tables.storeLinks(first);
    expect(await told()).toEqual([`account-1 member since ${linkedS} link`]);
  });

  it.each<[string, readonly (readonly LinkRevision[])[], readonly string[]]>([
    ['one batch', [[ended, other]], []],
    ['the other order', [[other], [ended]], []],
    ['two batches', [[ended], [other]], [`account-1 left at ${unlinkedS} link`]],
  ])('is told of with that account, once, if the links arrive in %s', async (_cut, batches, between) => {
    for (const batch of batches) await tables.storeLinks(...batch);
    const records = [...between, `account-2 member since ${linkedAgainS} link`];
    expect((await told()).slice(1)).toEqual(records);
    await tables.storeLinks(linkOf('account-2', 'needs_reauth', 4, linkedAgainS));
    await tables.makeDueTimesExact();
    expect((await told()).slice(1)).toEqual(records);
  });

  it('is not told of again when the link of the same account is a later one', async () => {
    await tables.storeLinks(ended, linkOf('account-1', 'ready', 3, linkedAgainS));
    expect(await told()).toHaveLength(1);
  });

  it('has left a paused segment, and enters it when the pause ends', async () => {
    tables.given.set({ ...newcomers, paused: true });
    await tables.storeLinks(ended, other);
    const left = `account-1 left at ${unlinkedS} link`;
    expect((await told()).slice(1)).toEqual([left]);
    tables.given.set(newcomers);
    await settleDue(tables.parts, 10);
    expect((await told()).slice(1)).toEqual([left, `account-2 member since ${linkedAgainS} time`]);
  });

  /** The published changes, oldest first. */
  async function told(): Promise<string[]> {
    const { rows } = await tables.pool.query<{ data: string }>('SELECT data FROM engagement.outbox ORDER BY id');
    return rows.map(({ data }) => {
      const { platform_user_id: account, member, changed_at: atS, reason } = JSON.parse(data) as SegmentMembershipData;
      return `${account} ${member ? 'member since' : 'left at'} ${atS} ${reason}`;
    });
  }
});

function linkOf(
  account: string,
  state: LinkRevision['data']['state'],
  revision: number,
  linkedAt: number,
): LinkRevision {
  const { data } = link('user-1', state, revision, account);
  const unlinked = state === 'unlinked' ? { unlinked_at: unlinkedS } : {};
  return { revision, data: { ...data, link_id: `link-of-${account}`, linked_at: linkedAt, ...unlinked } };
}
