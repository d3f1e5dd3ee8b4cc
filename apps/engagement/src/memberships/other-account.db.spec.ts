import { SegmentMembershipData } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, link, newcomers, nowS } from '../../test/applied-tables';
import { deposits, segmentOf } from '../../test/given-definitions';
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

  it.each([
    ['who was linked all the time', linkedAgainS, linkedAgainS],
    ['whose links overlap', unlinkedS, linkedAgainS],
  ])('and %s before anything was told is told of once, with that account', async (_who, otherS, endedS) => {
    await tables.reset();
    tables.given.set(newcomers);
    const { data, revision } = ended;
    const endedThen = { revision, data: { ...data, unlinked_at: endedS } };
    await tables.storeLinks(first, endedThen, linkOf('account-2', 'ready', 3, otherS));
    const records = [`account-2 member since ${otherS} link`];
    expect(await told()).toEqual(records);
    await tables.storeLinks(linkOf('account-2', 'needs_reauth', 4, otherS));
    await tables.makeDueTimesExact();
    expect(await told()).toEqual(records);
  });

  it('is told of with that account when its record arrives after a change that time brought since', async () => {
    const lately = { count: deposits, window: { rolling: 'PT1H' }, op: 'gte', value: '1' } as const;
    await tables.reset();
    tables.given.set(segmentOf('00000000-0000-4000-8000-000000000009', { not: lately }));
    tables.clockMs = (nowS - 90) * 1000;
    const paid = userEvent({ id: 'paid', createdAt: nowS - 100, platformUserId: 'account-1' });
    await tables.apply([{ ...paid, linked_at: linkedS }]);
    await tables.storeLinks(first);
    tables.clockMs = nowS * 1000;
    await tables.makeDueTimesExact();
    const before = `account-1 member since ${nowS} time`;
    expect(await told()).toEqual([before]);

    const { data, revision } = ended;
    const endedThen = { revision, data: { ...data, unlinked_at: nowS - 60 } };
    await tables.storeLinks(endedThen, linkOf('account-2', 'ready', 3, nowS - 60));
    const records = [before, `account-2 member since ${nowS} link`];
    expect(await told()).toEqual(records);
    await tables.storeLinks(linkOf('account-2', 'needs_reauth', 4, nowS - 60));
    await tables.makeDueTimesExact();
    expect(await told()).toEqual(records);
  });

  it.each([
    ['keeps no account', null, null],
    ['has left that of an earlier record', 'account-2', 1],
  ])('is told of with that account where the release before %s', async (_what, account, accountAt) => {
    await tables.pool.query('UPDATE engagement.memberships SET account = $1, account_at = $2', [account, accountAt]);
    await tables.storeLinks(ended, other);
    expect((await told()).slice(1)).toEqual([`account-2 member since ${linkedAgainS} link`]);
  });

  it('is told of with that account once the clock reaches the link, if its record arrives before', async () => {
    tables.clockMs = (linkedAgainS - 1) * 1000;
    const { data, revision } = ended;
    const endedThen = { revision, data: { ...data, unlinked_at: linkedAgainS } };
    await tables.storeLinks(endedThen, other);
    expect((await told()).slice(1)).toEqual([]);
    tables.clockMs = linkedAgainS * 1000;
    await settleDue(tables.parts, 10);
    expect((await told()).slice(1)).toEqual([`account-2 member since ${linkedAgainS} link`]);
    expect((await settleDue(tables.parts, 10)).settled).toBe(0);
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
