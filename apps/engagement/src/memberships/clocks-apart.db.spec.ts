import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, active, deposit, link, newcomers, nowS, verified } from '../../test/applied-tables';
import { ApplyParts } from '../applying/apply-parts';
import { settleDue } from '../due/settle-due';
import { LiveDefinitions } from '../progress/live-definitions';

describe('memberships of instances whose clocks differ by a second', () => {
  let tables: AppliedTables;
  let behind: ApplyParts;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    behind = new ApplyParts(tables.pool, new LiveDefinitions(tables.given), () => tables.clockMs - 1_000);
    await tables.linkUsers('user-1');
    tables.given.set(active, verified);
  });

  it('that began in the newer second are not told to have ended', async () => {
    await tables.apply([deposit('a', 1, nowS - 100), deposit('b', 1, nowS)]);
    expect(await told(active.definitionId)).toEqual([`true ${nowS}`]);
    await tables.apply([deposit('old', 1, nowS - 5 * 3_600)], behind);
    expect(await told(active.definitionId)).toEqual([`true ${nowS}`]);
    await settleDue(tables.parts, 10);
    expect(await told(active.definitionId)).toEqual([`true ${nowS}`]);
  });

  it('that ended in the newer second are not told to have begun', async () => {
    await tables.apply([deposit('a', 1, nowS - 100), deposit('b', 1, nowS - 50)]);
    const endS = nowS + 3_600;
    tables.clockMs = endS * 1000;
    await settleDue(tables.parts, 10);
    const changes = [`true ${nowS - 50}`, `false ${endS}`];
    expect(await told(active.definitionId)).toEqual(changes);
    await tables.apply([deposit('old', 1, endS - 5 * 3_600)], behind);
    expect(await told(active.definitionId)).toEqual(changes);
    tables.clockMs += 1_000;
    await settleDue(tables.parts, 10);
    expect(await told(active.definitionId)).toEqual(changes);
  });

  it('end once the clock has reached the second at which they began, if they do', async () => {
    await tables.apply([kyc('k1', 'passed')]);
    // The newest of its second, by its id.
    await tables.apply([kyc('k2', 'review')], behind);
    expect(await told(verified.definitionId)).toEqual([`true ${nowS}`]);
    expect(await tables.count('due_times', `definition_id = '${verified.definitionId}' AND due_at = ${nowS}`)).toBe(1);
    expect((await settleDue(behind, 10)).settled).toBe(0);
    await settleDue(tables.parts, 10);
    // By both events of the second the user never was a member.
    expect(await told(verified.definitionId)).toEqual([`true ${nowS}`, 'false 1']);
    expect(await tables.count('due_times', `definition_id = '${verified.definitionId}'`)).toBe(0);
  });

  it('that began with a link of the newer second stay in a paused segment', async () => {
    tables.given.set(newcomers);
    await tables.storeLinks({ revision: 20, data: { ...link('user-2', 'ready', 20).data, linked_at: nowS } });
    expect(await tables.members(newcomers)).toContain('user-2');
    tables.given.set({ ...newcomers, paused: true });
    await tables.apply([userEvent({ id: 'a', createdAt: nowS - 1, userId: 'user-2' })], behind);
    expect(await tables.members(newcomers)).toContain('user-2');
  });

  /** The published changes of a segment, in order. */
  async function told(segmentId: string): Promise<string[]> {
    const { rows } = await tables.pool.query<{ text: string }>(
      `SELECT (data::jsonb ->> 'member') || ' ' || (data::jsonb ->> 'changed_at') AS text FROM engagement.outbox
       WHERE type LIKE 'engagement.segment-membership.%' AND data::jsonb ->> 'segment_id' = $1 ORDER BY id`,
      [segmentId],
    );
    return rows.map(({ text }) => text);
  }
});

function kyc(id: string, status: string) {
  return userEvent({ id, name: 'kyc', createdAt: nowS, attributes: { status } });
}
