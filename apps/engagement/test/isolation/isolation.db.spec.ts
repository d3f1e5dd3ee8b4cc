import { OperatorRoute, callerOf, operatorRoutes, roleSets, tooLittleFor } from '@podium/testing/operator-routes';
import { OperatorsApi, TextAnswer } from '../operators-api';
import { engagementOperations as operations } from './operations';
import { dryRunDates } from './seeded-trials';
import { Side, sharedUserId, seedSides, startApiOfTwo, unknownSide } from './two-organizers';

const everyRole = roleSets[roleSets.length - 1];

describe("an operator of one organizer and another organizer's definitions, users, ledger, trials, rates and exports", () => {
  let api: OperatorsApi;
  let mine: Side;
  let theirs: Side;
  const routes: ReadonlyMap<string, OperatorRoute> = operatorRoutes();

  beforeAll(async () => {
    api = await startApiOfTwo();
    ({ a: theirs, b: mine } = await seedSides(api));
  });
  afterAll(() => api?.stop());

  describe.each(namesOf('definition', 'trial', 'user'))('%s', (name) => {
    it('answers as if nothing of theirs existed, and changes nothing, whatever the roles', async () => {
      const before = await tables();
      for (const roles of roleSets) {
        const answer = await call(name, theirs, mine, roles);
        expect({ roles, ...answer }).toMatchObject({ roles, status: 404, text: expect.stringContaining('not_found') });
        expect({ roles, ...answer }).toEqual({ roles, ...(await call(name, unknownSide(theirs), mine, roles)) });
      }
      expect(await tables()).toEqual(before);
    });
  });

  it.each(namesOf('create'))('%s answers for their platform as for an unknown one', async (name) => {
    const before = await tables();
    for (const roles of roleSets) {
      const answer = await call(name, theirs, mine, roles);
      expect({ roles, ...answer }).toMatchObject({
        roles,
        status: 422,
        text: expect.stringContaining('platform: no '),
      });
      expect({ roles, ...answer }).toEqual({ roles, ...(await call(name, unknownSide(theirs), mine, roles)) });
    }
    expect(await tables()).toEqual(before);
  });

  it.each(namesOf('organizer'))('%s is forbidden for their organizer as for an unknown one', async (name) => {
    const before = await tables();
    for (const roles of roleSets) {
      const answer = await call(name, theirs, mine, roles);
      expect({ roles, ...answer }).toMatchObject({ roles, status: 403, text: expect.stringContaining('forbidden') });
      expect({ roles, ...answer }).toEqual({ roles, ...(await call(name, unknownSide(theirs), mine, roles)) });
    }
    expect(await tables()).toEqual(before);
  });

  it.each(namesOf('list'))('%s lists nothing of theirs, asked for it or not, nor behind their cursor', async (name) => {
    const { path } = routes.get(name)!;
    const cursor = cursorIn(await api.call(callerOf(theirs, everyRole), 'GET', `${path}?limit=1`));
    for (const roles of roleSets)
      for (const asked of ['', `?cursor=${cursor}`, `?${new URLSearchParams(operations[name].query!(theirs))}`]) {
        const answer = await api.call(callerOf(mine, roles), 'GET', `${path}${asked}`);
        expect(answer.status).toBe(200);
        expectNothingOf(theirs, answer);
      }
  });

  it.each(namesOf('definition', 'trial', 'user', 'list', 'organizer').filter((name) => isRead(name)))(
    '%s shows my own things without anything of theirs',
    async (name) => {
      const answer = await call(name, mine, mine, everyRole);
      expect(answer.status).toBe(200);
      expect(mine.marks.some((mark) => answer.text.includes(mark))).toBe(true);
      expectNothingOf(theirs, answer);
      expect((await call(name, { ...mine, userId: sharedUserId }, mine, everyRole)).status).toBe(200);
      expectNothingOf(theirs, await call(name, { ...mine, userId: sharedUserId }, mine, everyRole));
    },
  );

  const changing = Object.keys(operations).filter((name) => routes.get(name)!.role !== 'viewer');
  it.each(changing)('%s is forbidden at my own without the role that it demands', async (name) => {
    const { role } = routes.get(name)!;
    expect(role).toBeDefined();
    const before = await tables();
    for (const lower of tooLittleFor(role!))
      expect({ lower, ...(await call(name, mine, mine, [lower])) }).toMatchObject({ lower, status: 403 });
    expect(await tables()).toEqual(before);
  });

  it.each(['getUser', 'explainTask', 'explainSegment'])('%s knows no user of theirs at my platform', async (name) => {
    const answer = await call(name, { ...mine, userId: theirs.userId }, mine, everyRole);
    expect(answer.status).toBe(404);
    expect(answer).toEqual(await call(name, { ...mine, userId: 'user-of-nobody' }, mine, everyRole));
  });

  it.each([...routes.keys()].filter((name) => name in operations && routes.get(name)!.parameters.includes('user_id')))(
    '%s takes every id that a user of the service can have, also with control characters',
    async (name) => {
      const answerFor = (userId: string): Promise<TextAnswer> => call(name, { ...mine, userId }, mine, everyRole);
      expect(await answerFor('a%09b\t\u007f')).toEqual(await answerFor('user-of-nobody'));
    },
  );

  it.each(namesOf('trial'))("%s knows no trial of theirs under a definition of one's own", async (name) => {
    const before = await tables();
    const answer = await call(name, { ...mine, previews: theirs.previews, dryRuns: theirs.dryRuns }, mine, everyRole);
    expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('not_found') });
    const { previews, dryRuns } = unknownSide(theirs);
    expect(answer).toEqual(await call(name, { ...mine, previews, dryRuns }, mine, everyRole));
    expect(await tables()).toEqual(before);
  });

  it.each(['payUnissued', 'refuseUnissued'])(
    "%s leaves their rows alone, named under a task of one's own",
    async (name) => {
      const before = await tables(['audit']);
      const answer = await call(name, { ...mine, unissuedIds: [...theirs.unissuedIds] }, mine, everyRole);
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('"reason":"unknown"') });
      expect(await tables(['audit'])).toEqual(before);
    },
  );

  describe.each([
    ['task', (id: string) => ({ ...bodyOf('createTask'), eligible: id }), 'dry-runs', dryRunDates()],
    ['segment', (id: string) => ({ ...bodyOf('createSegment'), condition: { in_segment: id } }), 'previews', {}],
  ])('a %s of mine', (kind, body, trials, trial) => {
    it.each([
      ['publish', { rewards_without_events: true }, 200],
      [trials, trial, 201],
    ])('cannot refer to a segment of theirs in %s', async (action, request, success) => {
      const answerWith = async (segmentId: string): Promise<TextAnswer> => {
        const path = `/admin/v1/${kind}s`;
        const { text } = await api.call(callerOf(mine, ['editor']), 'POST', path, body(segmentId));
        const id = (JSON.parse(text) as Record<string, string>)[`${kind}_id`];
        const another = { ...callerOf(mine, ['editor', 'approver']), operatorId: 'approver-of-b' };
        return api.call(another, 'POST', `${path}/${id}/${action}`, request);
      };
      const answer = await answerWith(theirs.segmentId);
      expect(answer.status).toBe(422);
      expect(answer).toEqual(await answerWith(unknownSide(theirs).segmentId));
      expect((await answerWith(mine.segmentId)).status).toBe(success);
    });
  });

  it.each(['giveRates', 'approveRates'])("%s of one's own changes no rate of theirs of the same day", async (name) => {
    const theirRates = (): Promise<TextAnswer> => call('listRates', theirs, theirs, everyRole);
    const before = await theirRates();
    const answer = await call(name, mine, mine, everyRole);
    expect(answer.status).toBe(200);
    expectNothingOf(theirs, answer);
    expect(await theirRates()).toEqual(before);
  });

  it('every request that was refused succeeds for an operator of the organizer', async () => {
    const statuses: [string, number][] = [];
    for (const name of Object.keys(operations))
      statuses.push([name, (await call(name, theirs, theirs, everyRole)).status]);
    const created = new Set([
      ...['createSegment', 'createTask', 'addSegmentVersion', 'addTaskVersion', 'orderPreview', 'orderDryRun'],
    ]);
    expect(statuses).toEqual(Object.keys(operations).map((name) => [name, created.has(name) ? 201 : 200]));
  });

  /** Calls an operation on what belongs to `of`, as an operator of `by`. */
  function call(name: string, of: Side, by: Side, roles: readonly string[]): Promise<TextAnswer> {
    const { method, path } = routes.get(name)!;
    const { query, body, trialId } = operations[name];
    const filled = path
      .replace('{id}', path.includes('/tasks/') ? of.taskId : of.segmentId)
      .replace('{platform}', of.platform)
      .replace('{user_id}', encodeURIComponent(of.userId))
      .replace(/\{(preview|dry_run)_id\}/, (place) => trialId?.(of) ?? place);
    expect(filled).not.toContain('{');
    const asked = query === undefined ? '' : `?${new URLSearchParams(query(of))}`;
    return api.call(callerOf(by, roles), method, `${filled}${asked}`, body?.(of));
  }

  function bodyOf(name: string): object {
    return operations[name].body!(mine);
  }

  function isRead(name: string): boolean {
    return operations[name].body === undefined && !/^(pause|resume|end|cancel)/.test(name);
  }

  /** The rows of all tables of engagement. */
  async function tables(except: readonly string[] = []): Promise<Record<string, string[]>> {
    const { rows } = await api.pool.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'engagement' AND table_type = 'BASE TABLE'`,
    );
    const found: Record<string, string[]> = {};
    for (const { table_name: name } of rows.filter((row) => !except.includes(row.table_name)))
      found[name] = (
        await api.pool.query<{ text: string }>(`SELECT t::text AS text FROM engagement."${name}" AS t ORDER BY 1`)
      ).rows.map(({ text }) => text);
    return found;
  }
});

function namesOf(...kinds: readonly string[]): string[] {
  return Object.keys(operations).filter((name) => kinds.includes(operations[name].of));
}

function expectNothingOf({ marks }: Side, { text }: TextAnswer): void {
  expect({ text, found: marks.filter((mark) => text.includes(mark)) }).toEqual({ text, found: [] });
}

function cursorIn({ text }: TextAnswer): string {
  const { next_cursor } = JSON.parse(text) as { next_cursor: string | null };
  if (next_cursor === null) throw new Error('the list has one page');
  return next_cursor;
}
