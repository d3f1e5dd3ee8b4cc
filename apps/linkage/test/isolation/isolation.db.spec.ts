import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { callerOf, operatorRoutes, roleSets, tooLittleFor } from '@podium/testing/operator-routes';
import { RunningLinkage, startLinkage } from '../running-linkage';
import { linkageOperations as operations } from './operations';
import { Side, TextAnswer, callLinkage, seedSide, unknownSide } from './two-organizers';

const everyRole = roleSets[roleSets.length - 1];
const routes = operatorRoutes();
const reads = /^(show|list|get)/;

describe("an operator of one organizer and another organizer's integrations, contracts, keys, links and erasures", () => {
  let linkage: RunningLinkage;
  let pool: Pool;
  let mine: Side;
  let theirs: Side;

  beforeAll(async () => {
    linkage = await startLinkage();
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: linkage.databaseUrl, size: 3, service: 'spec' }, logger, new Registry());
    theirs = await seedSide(linkage, pool, 'a');
    mine = await seedSide(linkage, pool, 'b');
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await linkage?.stop();
  });

  describe.each(namesOf('thing'))('%s', (name) => {
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

  it.each(namesOf('organizer'))('%s is forbidden for their organizer as for an unknown one', async (name) => {
    const before = await tables();
    for (const roles of roleSets) {
      const answer = await call(name, theirs, mine, roles);
      expect({ roles, ...answer }).toMatchObject({ roles, status: 403, text: expect.stringContaining('forbidden') });
      expect({ roles, ...answer }).toEqual({ roles, ...(await call(name, unknownSide(theirs), mine, roles)) });
    }
    expect(await tables()).toEqual(before);
  });

  it.each(namesOf('service'))('%s is forbidden for operators of an organizer', async (name) => {
    for (const roles of roleSets) expect(await call(name, theirs, mine, roles)).toMatchObject({ status: 403 });
  });

  it.each(namesOf('list'))('%s lists nothing of theirs, asked for it or not, nor behind their cursor', async (name) => {
    const { path } = routes.get(name)!;
    const { next_cursor: cursor } = JSON.parse((await ask(`${path}?limit=1`, theirs, everyRole)).text) as {
      next_cursor: string;
    };
    expect(cursor).toEqual(expect.any(String));
    const asked = ['', `?cursor=${cursor}`];
    const query = operations[name].query?.(theirs);
    if (query) asked.push(`?${new URLSearchParams(query)}`);
    for (const roles of roleSets)
      for (const parameters of asked) {
        const answer = await ask(`${path}${parameters}`, mine, roles);
        expect(answer.status).toBe(200);
        expectNothingOf(theirs, answer);
      }
  });

  it.each(['listDataKeys', 'listAudit'])('%s is forbidden for their organizer as for an unknown one', async (name) => {
    const answers = [theirs, unknownSide(theirs)].map(({ organizerId }) =>
      ask(`${routes.get(name)!.path}?organizer_id=${organizerId}`, mine, everyRole),
    );
    const [answer, unknown] = await Promise.all(answers);
    expect(answer.status).toBe(403);
    expect(answer).toEqual(unknown);
  });

  it.each(['rotateKey', 'expireKey', 'revokeKey'])('%s knows neither kind of their keys', async (name) => {
    const before = await tables();
    const { method, path } = routes.get(name)!;
    for (const keyId of [theirs.eventKeyId, theirs.dataKeyId]) {
      const request = { method, path: path.replace('{key_id}', keyId), body: operations[name].body?.(theirs) };
      expect(await callLinkage(linkage, callerOf(mine, everyRole), request)).toMatchObject({ status: 404 });
    }
    expect(await tables()).toEqual(before);
  });

  it.each(['createDataKey'])('%s of my own grants no queues of theirs', async (name) => {
    const before = await tables();
    const body = {
      ...operations[name].body!(mine),
      scopes: [{ scope: 'queues:organizer', organizer_ids: [mine.organizerId, theirs.organizerId] }],
    };
    const request = { method: 'POST', path: routes.get(name)!.path, body };
    expect(await callLinkage(linkage, callerOf(mine, everyRole), request)).toMatchObject({ status: 403 });
    expect(await tables()).toEqual(before);
  });

  const changing = namesOf('thing', 'organizer').filter((name) => routes.get(name)!.role !== 'viewer');
  it.each(changing)('%s is forbidden at my own without the role that it demands', async (name) => {
    const { role } = routes.get(name)!;
    expect(role).toBeDefined();
    const before = await tables();
    for (const lower of tooLittleFor(role!))
      expect({ lower, ...(await call(name, mine, mine, [lower])) }).toMatchObject({ lower, status: 403 });
    expect(await tables()).toEqual(before);
  });

  it('an erasure without a platform is forbidden, because it would erase at theirs too', async () => {
    const request = { method: 'POST', path: routes.get('eraseUser')!.path, body: { user_id: 'shared-user' } };
    const before = await tables();
    expect(await callLinkage(linkage, callerOf(mine, everyRole), request)).toMatchObject({ status: 403 });
    expect(await tables()).toEqual(before);
  });

  it.each(namesOf('thing', 'list').filter((name) => reads.test(name)))(
    '%s shows my own things without anything of theirs',
    async (name) => {
      const answer = await call(name, mine, mine, everyRole);
      expect(answer.status).toBe(200);
      expect(mine.marks.some((mark) => answer.text.includes(mark))).toBe(!operations[name].isUnmarked);
      expectNothingOf(theirs, answer);
    },
  );

  it('every request that was refused succeeds for an operator of the organizer, or of the whole service', async () => {
    const statuses: [string, number][] = [];
    for (const name of Object.keys(operations)) {
      const by = operations[name].of === 'service' ? { organizerId: '*' } : theirs;
      statuses.push([name, (await call(name, theirs, by, everyRole)).status]);
    }
    expect(statuses).toEqual(Object.entries(operations).map(([name, { success }]) => [name, success ?? 200]));
  });

  /** Calls an operation on what belongs to `of`, as an operator of `by`. */
  function call(name: string, of: Side, by: Pick<Side, 'organizerId'>, roles: readonly string[]): Promise<TextAnswer> {
    const { method, path } = routes.get(name)!;
    const { query, body } = operations[name];
    const filled = path
      .replace('{integration_id}', of.integrationId)
      .replace('{erasure_id}', of.erasureId)
      .replace('{test_link_id}', of.testLinkId)
      .replace('{check_id}', of.checkId)
      .replace('{key_id}', of.eventKeyId);
    expect(filled).not.toContain('{');
    const asked = query === undefined ? '' : `?${new URLSearchParams(query(of))}`;
    return callLinkage(linkage, callerOf(by, roles), { method, path: `${filled}${asked}`, body: body?.(of) });
  }

  function ask(path: string, by: Side, roles: readonly string[]): Promise<TextAnswer> {
    return callLinkage(linkage, callerOf(by, roles), { method: 'GET', path });
  }

  /** The rows of what operators change, without when the instances of ingestion and engagement had a contract. */
  async function tables(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const name of ['integrations', 'contracts', 'api_keys', 'links', 'audit', 'test_links', 'partner_checks'])
      found[name] = (
        await pool.query<{ text: string }>(
          `SELECT (to_jsonb(t) - 'barrier_offset' - 'in_force_at')::text AS text FROM linkage."${name}" AS t ORDER BY 1`,
        )
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
