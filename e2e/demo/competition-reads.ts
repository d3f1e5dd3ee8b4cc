import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { ReadRow, readRows } from '../../apps/competition-read/test/read-table';
import type { Showcase } from '../../tools/competition/world/showcase';
import { DataApi, DataErrors, addressOf } from '../competition/data-api';
import { randomRequest } from '../competition/random-request';
import { Args, sampleArgs } from '../competition/samples';
import { DemoStack } from '../support/demo-stack';
import { closedSchema } from '../../tools/competition/test/closed-schema';
import { SpecificationCheck } from '../../tools/competition/test/specification/check';
import { specifiedReplies } from '../../tools/competition/test/specification/replies';

/** Well-formed ids that do not exist. */
const unknown: Args = {
  group: '2147483647',
  season: '2147483647',
  season_id: '2147483647',
  match_id: '1-00000000-0000-4000-8000-000000000000',
  leaderboard_id: '000000000000000000000000',
  queue_id: '000000000000000000000000',
  game_id: 'no_such_game',
  region: 'NOWHERE',
  region_id: 'NOWHERE',
};
const unknownId = '00000000-0000-4000-8000-000000000000';

const cases = readRows.map((row): [string, ReadRow] => [row.id, row]);
const integers = (row: ReadRow) =>
  Object.entries(row.query).filter(([, { schema }]) => schema.type === 'integer' && schema.maximum !== undefined);

/** Tests of all competition reads on the demo world. */
export function describeCompetitionReads(demoOf: () => DemoStack): void {
  describe('all reads of competition data, through the gateway, in the demo world', () => {
    let showcase: Showcase;
    let apis: { data: DataApi; developer: DataApi; organizer: DataApi; anonymous: DataApi };

    beforeAll(async () => {
      const demo = demoOf();
      const { gateway_url, data_api_key, queue_developer_key, queue_organizer_key } = demo.description;
      const url = `${gateway_url}/data/v4`;
      showcase = demo.description.competition;
      apis = {
        data: new DataApi(url, data_api_key),
        developer: new DataApi(url, queue_developer_key),
        organizer: new DataApi(url, queue_organizer_key),
        anonymous: new DataApi(url),
      };
      await untilProjected(apis.data, showcase);
    });

    const apiOf = (row: ReadRow): DataApi => (row.scope === 'data:read' ? apis.data : apis.developer);
    const sample = (row: ReadRow): Args => sampleArgs(row.id, showcase);
    const expectError = (answer: { status: number; body: unknown }, status: number, parameter?: string): void => {
      expect({ status: answer.status, body: answer.body }).toMatchObject({
        status,
        body: {
          errors: [
            {
              code: expect.stringMatching(/^err_/),
              message: expect.any(String),
              http_status: status,
              parameters: parameter === undefined ? expect.any(Array) : expect.arrayContaining([parameter]),
            },
          ],
        },
      });
    };

    it('are the 63 operations and the rules of a hub, each with a unique id and path', () => {
      expect(readRows.length).toBe(64);
      expect(new Set(readRows.map(({ id }) => id)).size).toBe(64);
      expect(new Set(readRows.map(({ path }) => path)).size).toBe(64);
    });

    describe.each(cases)('%s', (_id, row) => {
      it('responds according to its reply schema, without additional fields', async () => {
        const answer = await apiOf(row).get(addressOf(row, sample(row)));
        expect(answer.status).toBe(200);
        const check = TypeCompiler.Compile(closedSchema(row.reply.schema));
        expect([...check.Errors(answer.body)].map(({ path, message, value }) => ({ path, message, value }))).toEqual(
          [],
        );
        expect(hasData(answer.body)).toBe(true);
      });

      it('responds according to the specification', async () => {
        const specified = specifiedReplies[row.id];
        // The specification does not have the rules of a hub.
        if (!specified) return expect(row.id).toBe('getHubRules');
        const address = addressOf(row, sample(row));
        const check = new SpecificationCheck();
        check.read(specified, (await apiOf(row).get(address)).body, address);
        expect(Object.fromEntries(check.faults)).toEqual({});
      });

      it('enforces the bounds of its numbers', async () => {
        for (const [name, { schema }] of integers(row)) {
          const { minimum = 0, maximum = 0 } = schema;
          const at = (value: number | string) => apiOf(row).get(addressOf(row, sample(row), { [name]: String(value) }));
          expect([name, (await at(minimum)).status]).toEqual([name, 200]);
          expect([name, (await at(maximum)).status]).toEqual([name, 200]);
          expectError(await at(maximum + 1), 400, name);
          if (minimum > 0) expectError(await at(minimum - 1), 400, name);
          for (const text of ['-1', '+5', '01', '0x10', '1e2', ' 5', '1.0', '9223372036854775808', 'ten'])
            expectError(await at(text), 400, name);
          for (const text of ['undefined', '']) expect((await at(text)).status).toBe(200);
        }
      });

      it('uses its documented defaults', async () => {
        const [plain, given] = await Promise.all([
          apiOf(row).get(addressOf(row, sample(row))),
          apiOf(row).get(addressOf(row, sample(row), defaultsOf(row))),
        ]);
        expect(given.status).toBe(200);
        // Fields that come from the clock may differ by a second.
        expect(withoutClock(given.body)).toEqual(withoutClock(plain.body));
      });

      it('refuses values outside of its enumerations', async () => {
        for (const [name, { schema }] of Object.entries(row.query)) {
          const values = schema.enum ?? schema.items?.enum;
          if (!values) continue;
          for (const value of values)
            expect((await apiOf(row).get(addressOf(row, sample(row), { [name]: value }))).status).toBe(200);
          expectError(await apiOf(row).get(addressOf(row, sample(row), { [name]: 'no_such_value' })), 400, name);
        }
      });

      it('names a missing argument', async () => {
        for (const [name, { required }] of Object.entries(row.query)) {
          if (!required) continue;
          for (const text of ['', 'undefined'])
            expectError(await apiOf(row).get(addressOf(row, sample(row), { [name]: text })), 400, name);
        }
      });

      it('responds 404 to unknown ids', async () => {
        for (const name of Object.keys(row.params)) {
          const args = { ...sample(row), [name]: unknown[name] ?? unknownId };
          // A developer's key is bound to a game, so another game is refused before the lookup.
          const expected = row.scope !== 'data:read' && name === 'game_id' ? 403 : 404;
          expectError(await apiOf(row).get(addressOf(row, args)), expected);
          for (const malformed of ['%00', 'a'.repeat(2000)]) {
            const path = addressOf(row, { ...sample(row), [name]: 'MALFORMED' }).replace('MALFORMED', malformed);
            const { status } = await apiOf(row).get(path);
            expect([400, 403, 404]).toContain(status);
          }
        }
      });

      it('needs a key with its scope', async () => {
        const address = addressOf(row, sample(row));
        const anonymous = await apis.anonymous.get(address);
        expectError(anonymous, 401);
        expect(anonymous.headers.get('www-authenticate')).toMatch(/^Bearer/);
        expectError(await (row.scope === 'data:read' ? apis.developer : apis.data).get(address), 403);
        if (row.scope === 'data:read') expectError(await apis.organizer.get(address), 403);
      });

      it('sends rate limit headers, and 304 for an unchanged ETag', async () => {
        const address = addressOf(row, sample(row));
        const first = await apiOf(row).get(address);
        expect(first.headers.get('ratelimit-limit')).toBe('1000, 1000;w=1');
        expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThan(1000);
        expect(first.headers.get('ratelimit-reset')).toMatch(/^\d+$/);
        expect(first.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
        const etag = first.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[^"]+"$/);
        // The history's default period comes from the clock.
        if (row.id === 'getPlayerHistory') return;
        const again = await apiOf(row).get(address, { 'if-none-match': etag });
        expect([again.status, again.text]).toEqual([304, '']);
      });
    });

    it('limits an organizer to its own queues, without regions', async () => {
      const { organizer } = apis;
      const { gameId, region, queueId, matchmakingId } = showcase;
      const own = await organizer.get(`/games/${gameId}/queues?entity_type=matchmaking&entity_id=${matchmakingId}`);
      const all = await apis.developer.get(
        `/games/${gameId}/queues?entity_type=matchmaking&entity_id=${matchmakingId}`,
      );
      const owners = (body: unknown) =>
        (body as { items: { organizerId: string }[] }).items.map((item) => item.organizerId);
      expect(new Set(owners(own.body))).toEqual(new Set([showcase.organizer.id]));
      expect(owners(all.body)).toEqual(expect.arrayContaining(owners(own.body)));
      expect((await organizer.get(`/games/${gameId}/queues/${queueId}`)).status).toBe(200);
      expect((await organizer.get(`/games/${gameId}/queues/${queueId}/bans`)).status).toBe(200);
      expectError(await organizer.get(`/games/${gameId}/regions/${region}/queues`), 403);
    });

    it('uses its error format for unknown methods, paths and encodings', async () => {
      const url = `${demoOf().description.gateway_url}/data/v4/games`;
      const posted = await fetch(url, { method: 'POST', body: '{}' });
      expect(posted.status).toBe(405);
      expect(posted.headers.get('allow')).toBe('GET, HEAD');
      expect((await posted.json()) as DataErrors).toMatchObject({ errors: [{ http_status: 405 }] });
      expectError(await apis.data.get('/nothing/here'), 404);
      expectError(await apis.data.get('/players/%E0%A4%A'), 404);
    });

    it('never responds 5XX to random requests', async () => {
      let successes = 0;
      await fc.assert(
        fc.asyncProperty(randomRequest(showcase), async ({ row, address }) => {
          const answer = await apiOf(row).get(address);
          expect([200, 400, 403, 404]).toContain(answer.status);
          if (answer.status === 200) successes++;
          else expectError(answer, answer.status);
        }),
        { numRuns: 1500, endOnFailure: true, verbose: 1 },
      );
      expect(successes).toBeGreaterThan(300);
    });

    it('work with a client that is generated from the OpenAPI document', async () => {
      const { gateway_url, data_api_key } = demoOf().description;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['-r', '@swc-node/register', 'docs/examples/competition-client.ts'],
        {
          env: {
            ...process.env,
            DATA_URL: `${gateway_url}/data/v4`,
            DATA_KEY: data_api_key,
            NAME: showcase.player.nickname,
          },
        },
      );
      expect(stdout).toContain(`${showcase.player.nickname} from ${showcase.player.country}`);
      expect(stdout.split('\n').filter((line) => /^\d+\. .+ \(\d+\)$/.test(line)).length).toBe(5);
    });
  });
}

/** The demo's world is published while the services start; its last documents are matches. */
async function untilProjected(api: DataApi, showcase: Showcase): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { status } = await api.get(`/matches/${showcase.matchId}/stats`);
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`the demo world is not available: ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Whether a body has data: a page with items, arrays of teams of which one is not empty, or an object. */
function hasData(body: unknown): boolean {
  const values = Object.values(body as object).filter(Array.isArray);
  const items = (body as { items?: unknown[] }).items;
  if (items) return items.length > 0;
  return values.length === 0 || values.some((value) => value.length > 0);
}

function defaultsOf(row: ReadRow): Record<string, string> {
  const defaults = Object.entries(row.query).flatMap(([name, { schema }]) =>
    schema.default === undefined ? [] : [[name, String(schema.default)]],
  );
  return Object.fromEntries(defaults) as Record<string, string>;
}

function withoutClock(body: unknown): unknown {
  const { from: _from, to: _to, ...rest } = body as Record<string, unknown>;
  return rest;
}
