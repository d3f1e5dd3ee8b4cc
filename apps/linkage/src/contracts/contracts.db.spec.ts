import { ContractEvent, topics } from '@podium/messages';
import { freshName } from '@podium/testing';
import { AdminAnswer, AdminClient, adminClient } from '../../test/admin-client';
import { TopicReader, readTopics } from '../../test/read-topics';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('publishing contracts', () => {
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let reader: TopicReader;

  beforeAll(async () => {
    linkage = await startLinkage();
    admin = await adminClient(linkage, { '*': 'admin' });
    reader = await readTopics([topics.integrations]);
  });

  afterAll(async () => {
    await reader?.stop();
    await linkage?.stop();
  });

  async function created(): Promise<{ id: string; platform: string }> {
    const platform = freshName('p');
    const { status, json } = await admin.post('/integrations', {
      ...{ platform, partner: platform, organizer_id: 'organizer-1', display_name: 'Partner' },
      ...{ authorization_url: 'https://partner.example/login', base_url: 'https://partner.example' },
      ...{ client_id: 'podium', client_secret: 'secret-of-spec' },
    });
    expect(status).toBe(201);
    return { id: json.integration_id as string, platform };
  }

  const publish = (id: string, body: object): Promise<AdminAnswer> => admin.post(`/integrations/${id}/contracts`, body);
  const messageOf = ({ json }: AdminAnswer): string => (json.error as { message: string }).message;
  const named = (name: string, retired = false): ContractEvent => ({
    ...{ name, kind: 'one_off', attributes: [] },
    ...(retired ? { retired } : {}),
  });

  /** About 190 KiB. */
  function large(retired: boolean): ContractEvent[] {
    const attributes = Array.from(
      { length: 100 },
      (_, n) => ({ name: `${'a'.repeat(80)}${n}`, type: 'string' }) as const,
    );
    const events = Array.from({ length: 17 }, (_, n) => ({ ...named(`event-${n}`), attributes }));
    return [...events, named('kyc', retired)];
  }

  it('refuses versions that are too large together, so that a pause of the partner reaches the gateway', async () => {
    const { id, platform } = await created();
    const answers: AdminAnswer[] = [];
    while (answers.at(-1)?.status !== 409 && answers.length < 10)
      answers.push(await publish(id, { events: large(answers.length % 2 === 1) }));
    const published = answers.length - 1;
    expect(published).toBe(5);
    const from = /publish this one from (\S+Z) on\.$/.exec(messageOf(answers[published]))?.[1] ?? '';
    // An hour after the second one has superseded the first.
    const untilMs = Date.parse(answers[1].json.in_force_from as string) + 3_600_000;
    expect(Date.parse(from) - untilMs).toBeGreaterThan(0);
    expect(Date.parse(from) - untilMs).toBeLessThanOrEqual(1001);
    expect((await admin.post(`/integrations/${id}/pause`)).status).toBe(200);
    const records = await reader.records('linkage.integrations.v1', platform, published + 2);
    const { status, contracts } = records.at(-1)!.data;
    expect([status, contracts]).toMatchObject(['paused', Array(published).fill({})]);
  }, 60_000);

  it('limits versions within an hour, also of those that replace the former ones', async () => {
    const { id } = await created();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) {
      const in_force_from = new Date(Date.now() + (100 - n) * 60_000).toISOString();
      statuses.push((await publish(id, { events: [named('kyc', n % 2 === 1)], in_force_from })).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(201), 409]);
  });

  it('refuses a version made from an older one than the newest', async () => {
    const { id } = await created();
    const first = [named('bonus_claimed')];
    const none = await publish(id, { events: first, expected_version: 1 });
    expect([none.status, messageOf(none)]).toEqual([
      409,
      expect.stringMatching(/^expected_version: there is no contract/),
    ]);
    expect((await publish(id, { events: first, expected_version: 0 })).status).toBe(201);
    expect((await publish(id, { events: [named('bonus_claimed', true)], expected_version: 1 })).json.version).toBe(2);
    const undoing = { events: [...first, named('kyc')] };
    const stale = await publish(id, { ...undoing, expected_version: 1 });
    expect([stale.status, messageOf(stale)]).toEqual([
      409,
      expect.stringContaining('the newest version of the contract is 2'),
    ]);
    expect((await publish(id, { ...undoing, expected_version: 2 })).status).toBe(201);
    expect((await publish(id, { ...undoing, expected_version: -1 })).status).toBe(400);
    const audit = await admin.get(`/audit?subject=integration:${id}&action=contract.published`);
    expect((audit.json.items as { detail: object }[]).map(({ detail }) => detail)).toEqual([
      expect.objectContaining({ version: 3, events_added: ['kyc'], events_unretired: ['bonus_claimed'] }),
      expect.objectContaining({ version: 2, events_retired: ['bonus_claimed'] }),
      expect.objectContaining({ version: 1, events_added: ['bonus_claimed'] }),
    ]);
  });

  it('answers a repeated request with the version that it has made', async () => {
    const { id, platform } = await created();
    const body = {
      events: [{ ...named('kyc'), attributes: [{ type: 'string', name: 'level', retired: true }] }],
      expected_version: 0,
    };
    const made = async (given: object): Promise<unknown[]> => {
      const { status, json } = await publish(id, given);
      return [status, json.version, json.in_force_from, json.created_at];
    };
    const first = await made(body);
    expect(first.slice(0, 2)).toEqual([201, 1]);
    expect(await made(body)).toEqual(first);
    const in_force_from = new Date(Date.now() + 3_600_000).toISOString();
    // The same list applies already.
    expect(await made({ ...body, in_force_from })).toEqual(first);
    const scheduled = { events: [...body.events, named('login')], in_force_from };
    const second = await made(scheduled);
    expect(second.slice(0, 3)).toEqual([201, 2, in_force_from]);
    expect(await made(scheduled)).toEqual(second);
    // Earlier than scheduled is a change.
    expect((await made({ events: scheduled.events }))[1]).toBe(3);
    const records = await reader.records('linkage.integrations.v1', platform, 4);
    expect(records.map(({ data }) => (data.contracts as { version: number }[]).map(({ version }) => version))).toEqual([
      ...[[], [1], [1, 2], [1, 3]],
    ]);
  });
});
