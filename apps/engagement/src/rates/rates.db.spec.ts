import { userEvent } from '@podium/testing/user-event';
import { Answer, DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { LiveDefinitions } from '../progress/live-definitions';
import { RatesDto } from './rate.dto';
import { RatesService } from './rates.service';

const approver = { 'organizer-1': 'approver' };
const dayMs = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const yesterday = dayBefore(1);

const task = {
  platform: 'acme',
  name: 'A hundred euros',
  goal: {
    sum: { event: 'deposit' },
    attribute: 'paid',
    convert_to: 'EUR',
    window: { lifetime: true },
    op: 'gte',
    value: 100,
  },
  repeat: { once: true },
  reward: { type: 'points', amount: '1' },
  claw_back: 'always',
};

describe("the operators' API of rates", () => {
  let api: DefinitionsApi;

  beforeAll(async () => {
    api = await startDefinitionsApi();
  });
  afterAll(() => api?.stop());
  beforeEach(async () => {
    await api.pool.query('TRUNCATE engagement.rates, engagement.audit');
  });

  it('converts only with rates that a second operator approved, which never change', async () => {
    const given = await give(usd(yesterday, '0.90'));
    expect(given.json.items).toEqual([
      {
        ...{ organizer_id: 'organizer-1', from: 'USD', to: 'EUR', day: yesterday, rate: '0.9', state: 'given' },
        ...{ given_by: 'operator-1', given_at: expect.any(String) as string, approved_by: null, approved_at: null },
      },
    ]);
    expect((await give(usd(yesterday, '0.91'))).json.items).toMatchObject([{ rate: '0.91', state: 'given' }]);
    expect((await approve([usd(yesterday, '0.9')])).json.error).toMatchObject({ code: 'conflict' });
    const own = await approve([usd(yesterday, '0.91')], 'operator-1');
    expect(own.json.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('You gave') as string });
    expect((await approve([usd(yesterday, '0.910')])).json.items).toMatchObject([
      { state: 'approved', approved_by: 'operator-2' },
    ]);
    expect((await approve([usd(yesterday, '0.91')])).status).toBe(200);
    expect((await give(usd(yesterday, '0.91'))).json.items).toMatchObject([{ state: 'approved' }]);
    expect((await give(usd(yesterday, '0.92'))).json.error).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${yesterday} USD = 0.91 EUR is approved`) as string,
    });
    await expect(api.pool.query(`UPDATE engagement.rates SET rate = 1`)).rejects.toThrow('does not change');
    const audit = await call('GET', '/rates/audit?organizer_id=organizer-1');
    expect(audit.json.items.map(({ action, operator_id, details }) => [action, operator_id, details])).toEqual([
      ['rates.approved', 'operator-2', { rates: [`${yesterday} USD = 0.91 EUR`] }],
      ['rates.given', 'operator-1', { rates: [`${yesterday} USD = 0.91 EUR`] }],
      ['rates.given', 'operator-1', { rates: [`${yesterday} USD = 0.90 EUR`] }],
    ]);
  });

  it.each([
    [{ ...usd(dayBefore(0), '1') }, 'unprocessable', 'rates[0].day: must be over'],
    [usd('2026-02-30', '1'), 'invalid_request', 'rates[0].day: must be a day of the calendar'],
    [usd('1999-12-31', '1'), 'invalid_request', 'rates[0].day: must be a day of the calendar'],
    [usd(yesterday, '0.000'), 'invalid_request', 'rates[0].rate: must be above 0'],
    [usd(yesterday, '-1'), 'invalid_request', 'rate: must be a text with a decimal above 0'],
    [{ ...usd(yesterday, '1'), to: 'USD' }, 'invalid_request', 'rates[0].to: must be another currency'],
    [{ ...usd(yesterday, '1'), from: 'usd' }, 'invalid_request', 'from: must be a code'],
  ])('refuses %j', async (rate, code, message) => {
    expect((await give(rate)).json.error).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  it('refuses to approve what nobody gave, to state a rate twice, and operators without the role', async () => {
    expect((await approve([usd(yesterday, '1')])).json.error.code).toBe('unprocessable');
    expect((await give(usd(yesterday, '1'), usd(yesterday, '1'))).json.error.code).toBe('invalid_request');
    await give(usd(yesterday, '1'));
    const editor = await call(
      'POST',
      '/rates/approve',
      body([usd(yesterday, '1')]),
      { 'organizer-1': 'editor' },
      'op-3',
    );
    expect(editor.json.error.code).toBe('forbidden');
    expect((await call('POST', '/rates', body([usd(yesterday, '1')]), approver)).json.error.code).toBe('forbidden');
  });

  it('lists by pair, newest day first, page by page, and nothing of other organizers', async () => {
    const others = { 'organizer-2': ['editor', 'approver'] };
    await give(usd(dayBefore(3), '1'), usd(dayBefore(1), '2'), usd(dayBefore(2), '3'));
    await give({ from: 'GBP', to: 'EUR', day: yesterday, rate: '1.1' });
    await call('POST', '/rates', { ...body([usd(yesterday, '7')]), organizer_id: 'organizer-2' }, others);
    const seen: unknown[] = [];
    for (let cursor = ''; ;) {
      const { json } = await call('GET', `/rates?limit=2${cursor}`);
      seen.push(...json.items.map(({ from, day }) => `${from as string} ${day as string}`));
      if (json.next_cursor === null) break;
      cursor = `&cursor=${json.next_cursor as string}`;
    }
    expect(seen).toEqual([
      ...[`USD ${dayBefore(1)}`, `USD ${dayBefore(2)}`, `USD ${dayBefore(3)}`],
      `GBP ${yesterday}`,
    ]);
    expect((await call('GET', '/rates?from=GBP&to=EUR&state=given')).json.items).toHaveLength(1);
    expect((await call('GET', '/rates?state=approved')).json.items).toEqual([]);
    expect((await call('GET', '/rates?organizer_id=organizer-2')).json.items).toEqual([]);
    expect((await call('GET', '/rates', undefined, others)).json.items).toMatchObject([{ rate: '7' }]);
    expect((await call('GET', '/rates/audit?organizer_id=organizer-2')).json.error.code).toBe('forbidden');
    expect((await call('POST', '/rates', body([usd(yesterday, '1')]), others)).json.error.code).toBe('forbidden');
    const foreign = await call('POST', '/rates/approve', body([usd(yesterday, '2')]), others, 'operator-9');
    expect(foreign.json.error.code).toBe('forbidden');
    const forged = ['2026-02-31', '0000-01-01', '1999-12-31'].map((day) =>
      Buffer.from(JSON.stringify(['organizer-1', 'USD', 'EUR', day])).toString('base64url'),
    );
    for (const cursor of ['W10', ...forged])
      expect((await call('GET', `/rates?cursor=${cursor}`)).json.error.code).toBe('invalid_request');
  });

  it('evaluates users again once a rate is approved, issues what is owed, and reverses what no longer is', async () => {
    const id = await api.created('/tasks', task);
    expect((await api.publish(`/tasks/${id}`)).status).toBe(200);
    const parts = new ApplyParts(api.pool, new LiveDefinitions(api.store));
    const createdAt = Math.floor(Date.now() / 1000);
    const data = userEvent({ id: 'd1', createdAt, attributes: { paid: '100', currency: 'USD' } });
    const place = { topic: 'test', partition: 0, position: 'any', nextOffset: 1n } as const;
    const applied = await applyBatch(parts, { ...place, events: [{ data: { ...data, contract_version: 1 } }] });
    expect(applied.withoutRate).toBe(1);
    await settleAll(parts);
    expect(await entriesOf(id)).toEqual([]);

    await give(usd(dayBefore(2), '1.5'));
    await settleAll(parts);
    expect(await entriesOf(id)).toEqual([]);
    await approve([usd(dayBefore(2), '1.5')]);
    await settleAll(parts);
    expect(await entriesOf(id)).toEqual(['1 issued']);

    // A nearer day counts, though it was approved later.
    await give(usd(yesterday, '0.5'));
    await approve([usd(yesterday, '0.5')]);
    await settleAll(parts);
    expect(await entriesOf(id)).toEqual(['1 issued', '2 reversed']);

    // Pairs that no definition uses, and other organizers, evaluate nothing.
    await give({ from: 'USD', to: 'GBP', day: yesterday, rate: '2' });
    await approve([{ from: 'USD', to: 'GBP', day: yesterday, rate: '2' }]);
    expect(await sweepDefinitions(parts, 100)).toBe(0);
  });

  it('approves beside a definition that the engine leaves out, of any organizer', async () => {
    for (const organizerId of ['organizer-1', 'organizer-2'])
      await api.pool.query(
        `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
           attribute_types, state, created_by, created_at, published_at, counts_from)
         VALUES (gen_random_uuid(), 1, 1, 'segment', 'other', $1, 'Left out', $2, '{}', 'published', 'op', now(), now(), now())`,
        [organizerId, { condition: { ...task.goal, value: '1' }, zone: 'UTC' }],
      );
    await give(usd(yesterday, '1.5'));
    expect(await approve([usd(yesterday, '1.5')])).toMatchObject({ status: 200 });
    await api.pool.query(`DELETE FROM engagement.definitions WHERE name = 'Left out'`);
  });

  it('counts for all users of a task that has closed, with later events or without, until the engine ends it', async () => {
    const id = await api.created('/tasks', task);
    await api.publish(`/tasks/${id}`);
    let nowMs = Date.now() + 1000;
    const rates = new RatesService(api.pool, () => new Date(nowMs));
    const parts = new ApplyParts(api.pool, new LiveDefinitions(api.store), () => nowMs);
    const deposit = async (name: string, paid: string, userIds: readonly string[]): Promise<void> => {
      const attributes = { paid, currency: 'USD' };
      const times = { createdAt: Math.floor(nowMs / 1000), receivedAt: nowMs };
      const events = userIds.map((userId) => {
        const data = userEvent({ id: `${name}-${userId}`, userId, platformUserId: userId, ...times, attributes });
        return { data: { ...data, contract_version: 1 } };
      });
      await applyBatch(parts, { topic: 'test', partition: 0, position: 'any', nextOffset: 1n, events });
    };
    const approveLater = async (rate: object): Promise<void> => {
      const stated = body([rate]) as RatesDto;
      await rates.give({ operatorId: 'operator-1', roles: new Map([['organizer-1', ['editor']]]) }, stated);
      await rates.approve({ operatorId: 'operator-2', roles: new Map([['organizer-1', ['approver']]]) }, stated);
    };

    await deposit('before', '100', ['early', 'busy']);
    const { json } = await api.call('POST', `/tasks/${id}/end`);
    nowMs = Date.parse(json.ended_at) + 36 * dayMs;
    await settleAll(parts);
    await approveLater(usd(dayBefore(2), '1.5'));
    await deposit('after', '1', ['busy']);
    await settleAll(parts);
    expect(await entriesByUser(id)).toMatchObject({ early: ['1 issued'], busy: ['1 issued'] });

    await approveLater(usd(yesterday, '0.5'));
    await deposit('last', '1', ['busy']);
    await settleAll(parts);
    const undone = ['1 issued', '2 reversed'];
    expect(await entriesByUser(id)).toMatchObject({ early: undone, busy: undone });
  });

  async function settleAll(parts: ApplyParts): Promise<void> {
    while ((await sweepDefinitions(parts, 100)) > 0);
    while ((await settleDue(parts, 100)).settled > 0);
  }

  async function entriesByUser(taskId: string): Promise<Record<string, string[]>> {
    const { rows } = await api.pool.query<{ userId: string; entries: string[] }>(
      `SELECT platform_user_id AS "userId", array_agg(seq || ' ' || kind ORDER BY seq) AS entries
       FROM engagement.ledger_entries JOIN engagement.awards USING (award_id) WHERE task_id = $1 GROUP BY 1`,
      [taskId],
    );
    return Object.fromEntries(rows.map(({ userId, entries }) => [userId, entries]));
  }

  async function entriesOf(taskId: string): Promise<string[]> {
    const { rows } = await api.pool.query<{ seq: number; kind: string }>(
      `SELECT seq, kind FROM engagement.ledger_entries JOIN engagement.awards USING (award_id)
       WHERE task_id = $1 ORDER BY seq`,
      [taskId],
    );
    return rows.map(({ seq, kind }) => `${seq} ${kind}`);
  }

  function call(...args: Parameters<DefinitionsApi['call']>): Promise<Answer> {
    return api.call(...args);
  }

  function give(...rates: object[]): Promise<Answer> {
    return call('POST', '/rates', body(rates));
  }

  function approve(rates: object[], operatorId = 'operator-2'): Promise<Answer> {
    return call('POST', '/rates/approve', body(rates), approver, operatorId);
  }
});

function usd(day: string, rate: string) {
  return { from: 'USD', to: 'EUR', day, rate };
}

function body(rates: object[]): object {
  return { organizer_id: 'organizer-1', rates };
}
