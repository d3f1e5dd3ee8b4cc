import { Pool } from 'pg';
import { call, until } from '../../tools/seed/api';
import { DemoStack } from '../support/demo-stack';
import { PartnerApi, nowS } from '../support/partner-api';
import { PartnerUnderTest, countingTask } from '../support/partner-under-test';

/** The user's id at both partners, of whom each is another person. */
const sharedUser = 'user-1';
const ids = ['shared-1', 'shared-2', 'shared-3'];

interface EventResult {
  readonly status: number;
  readonly body: {
    readonly outcome?: string;
    readonly warnings?: unknown[];
    readonly error?: { readonly code: string };
  };
}

interface Answer<T> {
  readonly status: number;
  readonly etag: string | null;
  readonly body: T;
}

/** A partner as it calls the edge: with its key, whatever it asks for. */
class Caller {
  constructor(
    readonly partner: PartnerUnderTest,
    private readonly gatewayUrl: string,
  ) {}

  async ask<T>(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer<T>> {
    const response = await fetch(`${this.gatewayUrl}/cdp/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.partner.keys[0]}`, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    const { status } = response;
    return { status, etag: response.headers.get('etag'), body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  event(id: string, changes: { name?: string; user?: string; platform?: string; amount?: string } = {}): object {
    const { name = 'deposit', user = sharedUser, platform = this.partner.platform, amount = '1.00' } = changes;
    const attributes = [{ name: 'amount', value: amount }];
    return { platform, platform_user_id: user, event: { id, name, created_at: nowS(), attributes } };
  }

  async batch(events: readonly object[]): Promise<EventResult[]> {
    return (await this.ask<{ results: EventResult[] }>('/users/events/batch', { events })).body.results;
  }

  /** Asks again while the answer is not certain or questions are above their rate. */
  accepted(id: string): Promise<boolean> {
    return until('an answer to status', 30_000, async () => {
      const { status, body } = await this.ask<{ accepted: boolean }>(`/users/events/status?id=${id}`);
      return status === 200 ? body.accepted : undefined;
    });
  }

  missing(): Promise<string[]> {
    return new PartnerApi(this.gatewayUrl, this.partner.keys[0], this.partner.platform).missing(ids);
  }

  async refusedIds(): Promise<(string | null)[]> {
    const { body } = await this.ask<{ items: { event_id: string | null }[] }>('/refusals');
    return body.items.map(({ event_id }) => event_id);
  }
}

/** Tests that two partners with equal event ids and equal user ids neither see nor cause anything of each other (V5). */
export function describePartnerIsolation(demoOf: () => DemoStack): void {
  describe('two partners with equal event ids and equal user ids', () => {
    const tasks: string[] = [];
    let first: Caller;
    let second: Caller;

    const setUp = async (platform: string, ownEvent: string): Promise<Caller> => {
      const { stack, description } = demoOf();
      const attributes = [{ name: 'amount', type: 'decimal' }];
      const contract = ['deposit', ownEvent].map((name) => ({ name, kind: 'repeatable' as const, attributes }));
      const partner = await PartnerUnderTest.setUp(stack, { platform, contract, users: 0 });
      const nickname = `${platform}-person`;
      await call('PUT', `${description.sandbox_url}/dev/partners/${platform}`, {
        body: { accounts: [{ sub: sharedUser, nickname }] },
      });
      await partner.addUser(nickname);
      tasks.push(await partner.addTask(countingTask('deposit', 1)));
      return new Caller(partner, description.gateway_url);
    };

    beforeAll(async () => {
      first = await setUp('isolated-first', 'only_first');
      second = await setUp('isolated-second', 'only_second');
    });

    it('know only their own accepted events', async () => {
      const sent = await first.batch(ids.map((id) => first.event(id)));
      expect(sent.map(({ body }) => body.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
      expect([await first.accepted(ids[0]), await second.accepted(ids[0])]).toEqual([true, false]);
      expect([await first.missing(), (await second.missing()).sort()]).toEqual([[], ids]);
      const checked = async (caller: Caller): Promise<unknown> =>
        (await caller.ask('/users/events/validate', caller.event(ids[0], { amount: '2.00' }))).body;
      expect(await checked(first)).toMatchObject({ duplicate: true });
      expect(await checked(second)).toMatchObject({ valid: true, duplicate: false, problems: [], warnings: [] });
    });

    it('suppress no event of each other', async () => {
      const sent = await second.batch(ids.map((id) => second.event(id, { amount: '2.00' })));
      expect(sent.map(({ body }) => body.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
      // A warning would tell that the id is known with other content.
      expect(sent.flatMap(({ body }) => body.warnings ?? [])).toEqual([]);
      expect([await second.accepted(ids[0]), await second.missing()]).toEqual([true, []]);
      const again = await first.batch([first.event(ids[0])]);
      expect(again[0].body.outcome).toBe('duplicate');
    });

    it('cause no award of each other', async () => {
      const pool = new Pool({ connectionString: demoOf().description.database_url, max: 1 });
      try {
        const awards = async (): Promise<object[]> =>
          (
            await pool.query<{ task_id: string; user_id: string; awards: number }>(
              `SELECT task_id, user_id, count(*)::int AS awards FROM engagement.awards
               WHERE task_id = ANY($1) GROUP BY task_id, user_id`,
              [tasks],
            )
          ).rows;
        const expected = [first, second].map(({ partner }, at) => ({
          ...{ task_id: tasks[at], user_id: partner.users[0].userId, awards: ids.length },
        }));
        await until('an award for each event', 30_000, async () => {
          const found = (await awards()).filter((row) => 'awards' in row && row.awards === ids.length);
          return found.length === expected.length ? true : undefined;
        });
        const found = await awards();
        expect(found).toHaveLength(expected.length);
        expect(found).toEqual(expect.arrayContaining(expected));
      } finally {
        await pool.end();
      }
    });

    it('send nothing in the name of each other', async () => {
      const foreign = { platform: second.partner.platform };
      const [result] = await first.batch([first.event('foreign-1', foreign)]);
      expect([result.status, result.body.error?.code]).toEqual([403, 'platform_mismatch']);
      const { body } = await first.ask<{ problems: { code: string }[] }>(
        '/users/events/validate',
        first.event('foreign-1', foreign),
      );
      expect(body.problems.map(({ code }) => code)).toContain('platform_mismatch');
      expect([await first.accepted('foreign-1'), await second.accepted('foreign-1')]).toEqual([false, false]);
    });

    it('see only their own contract, also by an ETag of the other', async () => {
      const [ofFirst, ofSecond] = [await first.ask<object>('/contract'), await second.ask<object>('/contract')];
      const [textOfFirst, textOfSecond] = [JSON.stringify(ofFirst.body), JSON.stringify(ofSecond.body)];
      expect(textOfFirst).toContain('only_first');
      expect(textOfFirst).not.toMatch(/only_second|isolated-second/);
      expect(textOfSecond).not.toMatch(/only_first|isolated-first/);
      const etag = ofFirst.etag ?? '';
      expect((await first.ask('/contract', undefined, { 'if-none-match': etag })).status).toBe(304);
      expect((await second.ask('/contract', undefined, { 'if-none-match': etag })).status).toBe(200);
    });

    it('see only their own refused events and differences from the contract', async () => {
      const results = await first.batch([
        first.event('refused-1', { name: 'only_second' }),
        first.event('refused-2', { user: 'stranger' }),
      ]);
      expect(results.map(({ body }) => body.error?.code)).toEqual(['event_not_negotiated', 'user_not_linked']);
      await until('the refused events being listed', 30_000, async () => {
        const refused = await first.refusedIds();
        return refused.includes('refused-1') && refused.includes('refused-2') ? true : undefined;
      });
      const drift = (caller: Caller): Promise<string> =>
        until('an answer about differences', 30_000, async () => {
          const { status, body } = await caller.ask<object>('/drift');
          const text = JSON.stringify(body);
          return status === 200 && (caller !== first || text.includes('only_second')) ? text : undefined;
        });
      expect(await drift(first)).toContain('only_second');
      expect(await drift(second)).not.toContain('only_second');
      expect((await second.refusedIds()).filter((id) => id !== null && !ids.includes(id))).toEqual([]);
    });

    it('keep the links of their user apart', async () => {
      await first.partner.unlink(first.partner.users[0]);
      let sent = 0;
      await until('the unlinked user being refused', 30_000, async () => {
        // An id that was accepted before the end of the link stays a duplicate.
        const [result] = await first.batch([first.event(`after-unlink-${sent++}`)]);
        return result.body.error?.code === 'user_not_linked' ? true : undefined;
      });
      const [result] = await second.batch([second.event('after-unlink-0')]);
      expect(result.body.outcome).toBe('accepted');
    });
  });
}
