import { UserEventData } from '@podium/messages';
import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import {
  AppliedTables,
  active,
  deposit,
  everyDeposit,
  link,
  linksPlace,
  newcomers,
  nowS,
  verified,
} from '../../test/applied-tables';
import { deposits, segmentOf } from '../../test/given-definitions';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { applyLinks } from '../link-view/apply-links';
import { leaveEnded } from '../memberships/leave-ended';
import { makeDue } from '../progress/due-times.store';

const twoInTwoHours = { count: deposits, window: { rolling: 'PT2H' }, op: 'gte', value: '2' } as const;

describe('settling after links, time and definitions', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(() => tables.reset());

  it('removes a user from a rolling segment when time passes, once, with two instances', async () => {
    await tables.linkUsers('user-1', 'user-2');
    await tables.apply([deposit('a', 1), deposit('b', 1)]);
    expect(await tables.members(active)).toEqual(['user-1']);
    expect((await settleDue(tables.parts, 100)).settled).toBe(0);
    tables.clockMs += 2 * 3600 * 1000;
    const rounds = await Promise.all([settleDue(tables.parts, 100), settleDue(tables.parts, 100)]);
    expect(rounds.flatMap(({ changes }) => changes)).toEqual([
      expect.objectContaining({ segmentId: active.definitionId, member: false, reason: 'time' }),
    ]);
    expect(await tables.members(active)).toEqual([]);
    expect((await settleDue(tables.parts, 100)).settled).toBe(0);
  });

  it('removes a user from all segments at an unlink, and adds the user to those that hold at a relink', async () => {
    await tables.linkUsers('user-1');
    await tables.apply([userEvent({ id: 'k', name: 'kyc', createdAt: nowS, attributes: { status: 'passed' } })]);
    expect([await tables.members(verified), await tables.members(newcomers)]).toEqual([['user-1'], ['user-1']]);
    await tables.storeLinks(link('user-1', 'unlinked', 20));
    expect([await tables.members(verified), await tables.members(newcomers)]).toEqual([[], []]);
    // An older revision that comes late changes nothing.
    await tables.storeLinks(link('user-1', 'ready', 15));
    expect(await tables.members(verified)).toEqual([]);
    await tables.storeLinks(link('user-1', 'ready', 30));
    expect([await tables.members(verified), await tables.members(newcomers)]).toEqual([['user-1'], ['user-1']]);
  });

  it('removes a user from segments when the link is erased or moves to another user', async () => {
    await tables.linkUsers('user-1');
    expect(await tables.members(newcomers)).toEqual(['user-1']);
    await tables.storeLinks(link('user-2', 'ready', 20, 'sub-of-user-1'));
    expect(await tables.members(newcomers)).toEqual(['user-2']);
    const account = { platform: 'acme', platformUserId: 'sub-of-user-1' };
    const removed = { revision: 21, everything: false };
    await applyLinks(tables.parts, { ...linksPlace, erased: [{ ...account, removed }], links: [] });
    expect(await tables.members(newcomers)).toEqual([]);
  });

  it('pays what a pause held back when the pause ends', async () => {
    await tables.linkUsers('user-1');
    tables.given.set({ ...everyDeposit, paused: true });
    expect((await tables.apply([deposit('a', 1), deposit('b', 1)])).awards).toEqual([]);
    expect((await settleDue(tables.parts, 100)).settled).toBe(0);
    tables.given.set(everyDeposit);
    await sweepDefinitions(tables.parts, 100);
    expect((await settleDue(tables.parts, 100)).awards).toHaveLength(2);
  });

  it('evaluates what events changed during a rebuild as soon as it has finished', async () => {
    await tables.linkUsers('user-1');
    tables.given.rebuild(true);
    expect((await tables.apply([deposit('a', 1)])).awards).toEqual([]);
    expect((await settleDue(tables.parts, 100)).settled).toBe(0);
    tables.given.rebuild(false);
    expect((await settleDue(tables.parts, 100)).awards).toHaveLength(1);
  });

  it('tells of members of a paused segment who unlink, and of nothing else', async () => {
    await tables.linkUsers('user-1', 'user-2');
    expect(await tables.members(newcomers)).toEqual(['user-1', 'user-2']);
    tables.given.set({ ...newcomers, paused: true });
    await tables.apply([deposit('a', 1)]);
    await tables.storeLinks(link('user-2', 'unlinked', 20));
    expect(await tables.members(newcomers)).toEqual(['user-1']);
    tables.given.set(newcomers);
    await settleDue(tables.parts, 100);
    expect(await tables.members(newcomers)).toEqual([]);
  });

  it('evaluates a newly published segment for existing users', async () => {
    tables.given.set(everyDeposit);
    await tables.linkUsers('user-1', 'user-2');
    tables.given.set(everyDeposit, newcomers);
    while ((await sweepDefinitions(tables.parts, 1)) > 0);
    const { changes } = await settleDue(tables.parts, 100);
    expect(changes.map(({ reason, member }) => ({ reason, member }))).toEqual([
      { reason: 'definition', member: true },
      { reason: 'definition', member: true },
    ]);
    expect(await sweepDefinitions(tables.parts, 1)).toBe(0);
    expect((await settleDue(tables.parts, 100)).settled).toBe(0);
  });

  it.each([
    ['condensed without it', [everyDeposit, verified]],
    ['not kept', []],
  ])(
    'finds a newly published sequence in the stored events of all its names, if their histories are %s',
    async (_, kept) => {
      const passedBeforeDeposit = segmentOf('00000000-0000-4000-8000-000000000006', {
        sequence: [{ event: 'kyc', where: [] }, deposits],
        within: 'PT1H',
      });
      const kyc = (id: string, createdAt: number) => userEvent({ id, name: 'kyc', createdAt });
      tables.given.set(...kept);
      await tables.linkUsers('user-1');
      const longAgoS = nowS - 130 * 86_400;
      const old = [kyc('k1', longAgoS), userEvent({ id: 'd1', createdAt: longAgoS + 600 })];
      await tables.apply(old);
      await tables.apply([userEvent({ id: 'd2', createdAt: nowS - 7_200 }), kyc('k2', nowS - 10)]);
      tables.given.set(everyDeposit, verified, passedBeforeDeposit);
      // The first one needs the history of deposits alone.
      const { rows } = await tables.pool.query<{ user_ref: number }>('SELECT user_ref FROM engagement.users');
      const everyDepositOfUser = { userRef: rows[0].user_ref, definitionId: everyDeposit.definitionId };
      await makeDue(queryable(tables.pool), [everyDepositOfUser], nowS);
      expect((await settleDue(tables.parts, 1)).settled).toBe(1);
      while ((await sweepDefinitions(tables.parts, 1)) > 0);
      while ((await settleDue(tables.parts, 1)).settled > 0);
      expect(await tables.members(passedBeforeDeposit)).toEqual(['user-1']);
    },
  );

  describe('evaluates again when something ahead of the clock takes effect', () => {
    const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`) / 1000;
    const applyAt = async (time: string, event: UserEventData): Promise<void> => {
      tables.clockMs = at(time) * 1000;
      await tables.apply([event]);
    };
    const becomesMemberAt = async (time: string): Promise<void> => {
      expect((await settleDue(tables.parts, 100)).settled).toBe(0);
      tables.clockMs = at(time) * 1000;
      expect((await settleDue(tables.parts, 100)).changes).toMatchObject([{ member: true, changedAt: at(time) }]);
      expect((await settleDue(tables.parts, 100)).settled).toBe(0);
    };

    it('an event: one of another name may decide with it', async () => {
      const verifiedAndActive = segmentOf('00000000-0000-4000-8000-000000000006', {
        all: [{ count: { event: 'kyc', where: [] }, window: { lifetime: true }, op: 'gte', value: '1' }, twoInTwoHours],
      });
      tables.given.set(verifiedAndActive);
      await tables.linkUsers('user-1');
      await applyAt('11:50:00', deposit('a', 1, at('11:50:00')));
      await applyAt('12:50:00', deposit('b', 1, at('12:50:00')));
      // By then the first deposit has left the window.
      await applyAt('12:58:00', userEvent({ id: 'k', name: 'kyc', createdAt: at('13:00:30') }));
      await applyAt('12:59:00', deposit('c', 1, at('12:59:00')));
      await becomesMemberAt('13:00:30');
    });

    it('a link: an event before it may decide with it', async () => {
      tables.given.set(segmentOf('00000000-0000-4000-8000-000000000006', twoInTwoHours));
      await tables.linkUsers('user-1');
      await tables.storeLinks(link('user-1', 'unlinked', 20));
      await applyAt('11:50:00', deposit('a', 1, at('11:50:00')));
      await applyAt('12:50:00', deposit('b', 1, at('12:50:00')));
      const { data } = link('user-1', 'ready', 30);
      await tables.storeLinks({ revision: 30, data: { ...data, linked_at: at('13:00:30') } });
      await applyAt('12:59:00', deposit('c', 1, at('12:59:00')));
      await becomesMemberAt('13:00:30');
    });
  });

  it('removes the members of an ended segment, once', async () => {
    await tables.linkUsers('user-1', 'user-2');
    expect(await tables.members(newcomers)).toEqual(['user-1', 'user-2']);
    await tables.pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from, ended_at)
       VALUES ($1, 1, 1, 'segment', 'acme', 'organizer-1', 'newcomers', '{}', '{}', 'ended', 'op', now(), now(), now(), $2)`,
      [newcomers.definitionId, new Date((nowS - 3_600) * 1000)],
    );
    tables.given.set(everyDeposit);
    const before = await tables.count('outbox');
    const [one, other] = await Promise.all([leaveEnded(tables.parts, 10), leaveEnded(tables.parts, 10)]);
    expect(one + other).toBe(2);
    expect(await leaveEnded(tables.parts, 10)).toBe(0);
    expect(await tables.members(newcomers)).toEqual([]);
    expect((await tables.count('outbox')) - before).toBe(2);
    // Both left when the segment ended, not when the engine came to them.
    const { rows } = await tables.pool.query<{ changed_at: number }>(
      'SELECT changed_at FROM engagement.memberships WHERE segment_id = $1',
      [newcomers.definitionId],
    );
    expect(rows).toEqual([{ changed_at: nowS - 3_600 }, { changed_at: nowS - 3_600 }]);
  });
});
