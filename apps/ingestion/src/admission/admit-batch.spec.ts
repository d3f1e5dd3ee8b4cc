import { setImmediate as turn } from 'node:timers/promises';
import { BatchedEvent, IntegrationData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Contracts } from '../contract-view/contracts';
import { EventIdentity } from '../dedup/event-identity';
import { InFlightEvents } from '../dedup/in-flight-events';
import { AccountRef, accountKey } from '../accounts/account';
import { ActiveLink } from '../link-view/link-view';
import { AdmittedEvent } from '../publishing/event-publisher';
import { DriftCounts } from '../drift/drift-counts';
import { RefusalCounts } from '../refusals/refusal-counts';
import { RefusedEvents } from '../refusals/refused-events';
import { AdmissionMetrics } from './admission-metrics';
import { BatchAdmission } from './admit-batch';
import { AdmissionOutcome, outcomeUnknown, refused } from '../event/outcome';

const nowMs = Date.UTC(2026, 0, 15, 12);
const farMs = nowMs + 4000;

/** The dependencies of admission, in memory; a test can make each unavailable. */
class World {
  readonly marks = new Map<string, string>();
  readonly linked = new Set(['acme/p-1', 'zenith/p-1']);
  readonly published: AdmittedEvent[] = [];
  readonly asked: string[] = [];
  readonly contracts = new Contracts();
  readonly refusals = new RefusalCounts(() => nowMs);
  readonly refusedEvents = new RefusedEvents(() => nowMs);
  readonly drift = new DriftCounts(() => nowMs);
  redisAway = false;
  linksAway = false;
  publish: (event: AdmittedEvent) => Promise<AdmissionOutcome> = async (event) => ({
    kind: 'accepted',
    dropped: event.check.dropped,
    warnings: event.check.values.notParsed.map(({ warning }) => warning),
  });
  readonly admission: BatchAdmission;

  constructor() {
    for (const platform of ['acme', 'zenith']) this.contracts.apply(platform, integration(platform));
    this.admission = new BatchAdmission({
      marks: { find: (identities) => this.find(identities), mark: (identities) => this.mark(identities) },
      inFlightEvents: new InFlightEvents(),
      contracts: this.contracts,
      links: { find: (accounts) => this.findLinks(accounts) },
      publisher: {
        publish: async (events) => {
          const outcomes = await Promise.all(events.map((event) => this.publish(event)));
          this.published.push(...events.filter((_event, at) => outcomes[at].kind === 'accepted'));
          return outcomes;
        },
      },
      ...{ refusals: this.refusals, refusedEvents: this.refusedEvents, drift: this.drift },
      metrics: new AdmissionMetrics(new Registry()),
      logger: createLog({ service: 'test', instance: 'test', level: 'silent' }),
      now: () => nowMs,
    });
  }

  async send(...events: BatchedEvent[]): Promise<{ status: number; retryAfterS: number; outcome: string }[]> {
    const answers = await this.admission.admit(events, farMs);
    return answers.map(({ status, retryAfterS, body }) => {
      const parsed = JSON.parse(body.toString()) as { outcome?: string; error?: { code: string } };
      return { status, retryAfterS, outcome: parsed.outcome ?? parsed.error?.code ?? '' };
    });
  }

  async outcomes(...events: BatchedEvent[]): Promise<string[]> {
    return (await this.send(...events)).map(({ outcome }) => outcome);
  }

  private async find(identities: readonly EventIdentity[]): Promise<(string | null)[] | undefined> {
    this.asked.push('marks');
    if (this.redisAway) return undefined;
    return identities.map(({ recordId }) => this.marks.get(recordId) ?? null);
  }

  private async mark(identities: readonly EventIdentity[]): Promise<void> {
    if (!this.redisAway) for (const { recordId, content } of identities) this.marks.set(recordId, content);
  }

  private async findLinks(accounts: readonly AccountRef[]): Promise<Map<string, ActiveLink>> {
    this.asked.push('links');
    if (this.linksAway) throw new Error('Postgres is unavailable');
    const known = accounts.filter(({ platform, platformUserId }) => this.linked.has(`${platform}/${platformUserId}`));
    return new Map(known.map((account) => [accountKey(account), linkOf(account)]));
  }
}

describe('BatchAdmission', () => {
  let world: World;
  beforeEach(() => (world = new World()));

  it('returns a separate outcome per event of a batch, with one lookup', async () => {
    const answers = await world.send(
      event({}),
      { ...event({}), body: Buffer.from('{') },
      event({ id: 'e-2', platform: 'zenith', key: 'acme' }),
      event({ id: 'e-3', name: 'Deposit' }),
      event({ id: 'e-4', user: 'p-2' }),
      event({
        id: 'e-5',
        attributes: pairs('amount=1', 'amount=2'),
      }),
      event({ id: 'e-6' }),
    );
    expect(answers).toEqual([
      { status: 200, retryAfterS: 0, outcome: 'accepted' },
      { status: 400, retryAfterS: 0, outcome: 'invalid_request' },
      { status: 403, retryAfterS: 0, outcome: 'platform_mismatch' },
      { status: 422, retryAfterS: 3600, outcome: 'event_not_negotiated' },
      { status: 404, retryAfterS: 60, outcome: 'user_not_linked' },
      { status: 400, retryAfterS: 0, outcome: 'invalid_request' },
      { status: 200, retryAfterS: 0, outcome: 'accepted' },
    ]);
    expect(world.asked).toEqual(['marks', 'links']);
  });

  it('names the dropped attributes and leaves them out of the record', async () => {
    const [answer] = await world.admission.admit(
      [
        event({
          attributes: pairs('amount=1', 'campaign=x'),
        }),
      ],
      farMs,
    );
    expect(answer.body.toString()).toBe('{"outcome":"accepted","event_id":"e-1","dropped_attributes":["campaign"]}');
    expect(world.published[0].check.kept).toEqual([{ name: 'amount', value: '1' }]);
  });

  it('warns of values that do not parse, without refusing or changing them, and of other content', async () => {
    const [first, again] = [event({ attributes: [['amount', 'ten']] }), event({ attributes: [['amount', '10']] })];
    const answers = await world.admission.admit([first, again, event({ id: 'e-2' })], farMs);
    const bodies = answers.map(({ body }) => JSON.parse(body.toString()) as { outcome: string; warnings?: object[] });
    expect(bodies.map(({ outcome, warnings }) => [outcome, warnings])).toEqual([
      ['accepted', [expect.objectContaining({ code: 'value_not_parsed', field: 'event.attributes[0].value' })]],
      ['duplicate', [expect.objectContaining({ code: 'content_differs', field: 'event.id' })]],
      ['accepted', undefined],
    ]);
    expect(world.published[0].check.kept).toEqual([{ name: 'amount', value: 'ten' }]);
    expect((await world.admission.admit([first, again], farMs)).map(({ body }) => body.includes('warnings'))).toEqual([
      false,
      true,
    ]);
  });

  describe('checks in order', () => {
    it('form before platform, platform before all lookups', async () => {
      expect(await world.outcomes(event({ id: '', key: 'zenith' }))).toEqual(['invalid_request']);
      expect(await world.outcomes(event({ key: 'zenith', name: 'none', user: 'nobody' }))).toEqual([
        'platform_mismatch',
      ]);
      expect(world.asked).toEqual([]);
    });

    it('duplicate before contract and link: a retry succeeds after both changed', async () => {
      await world.outcomes(event({}));
      world.linked.clear();
      world.contracts.apply('acme', { ...integration('acme'), contracts: [] });
      expect(await world.outcomes(event({}))).toEqual(['duplicate']);
      world.contracts.forget('acme');
      expect(await world.outcomes(event({}))).toEqual(['duplicate']);
      expect(await world.outcomes(event({ id: 'e-2' }))).toEqual(['unavailable']);
    });

    it('name before attributes, attributes before link', async () => {
      const twice = pairs('amount=1', 'amount=1');
      expect(await world.outcomes(event({ name: 'none', attributes: twice, user: 'nobody' }))).toEqual([
        'event_not_negotiated',
      ]);
      expect(await world.outcomes(event({ attributes: twice, user: 'nobody' }))).toEqual(['invalid_request']);
      expect(world.asked).not.toContain('links');
    });
  });

  describe('the contract', () => {
    it('is the one in force at receipt, whatever created_at says', async () => {
      const changeMs = nowMs - 1000;
      const later = integration('acme').contracts[0];
      world.contracts.apply('acme', {
        ...integration('acme'),
        contracts: [
          { ...later, version: 1, events: [] },
          { ...later, version: 2, in_force_from: changeMs },
        ],
      });
      expect(await world.outcomes(event({ receivedAtMs: changeMs - 1, createdAt: changeMs / 1000 }))).toEqual([
        'event_not_negotiated',
      ]);
      expect(await world.outcomes(event({ receivedAtMs: changeMs, createdAt: 0 }))).toEqual(['accepted']);
      expect(world.published[0].check.version).toBe(2);
    });

    it('that is unreadable or missing causes 503 for its platform only', async () => {
      world.contracts.forget('acme');
      expect(await world.outcomes(event({}), event({ platform: 'zenith' }))).toEqual(['unavailable', 'accepted']);
    });
  });

  describe('repeats', () => {
    it('are duplicates at once', async () => {
      expect(await world.outcomes(event({}))).toEqual(['accepted']);
      expect(await world.outcomes(event({}))).toEqual(['duplicate']);
      expect(world.published).toHaveLength(1);
    });

    it('with other content do not change the first and are counted', async () => {
      await world.outcomes(event({}));
      expect(await world.outcomes(event({ createdAt: 5 }))).toEqual(['duplicate']);
      expect(world.published).toHaveLength(1);
      expect(world.refusals.take()).toMatchObject([
        { platform: 'acme', code: 'content_differs', platformUserId: 'p-1', count: 1 },
      ]);
    });

    it('of one id on two platforms are two events', async () => {
      expect(await world.outcomes(event({}), event({ platform: 'zenith' }))).toEqual(['accepted', 'accepted']);
      expect(new Set(world.published.map(({ identity }) => identity.recordId)).size).toBe(2);
    });

    it('in one batch share one outcome and one record', async () => {
      expect(await world.outcomes(event({}), event({}), event({ createdAt: 5 }))).toEqual([
        'accepted',
        'accepted',
        'duplicate',
      ]);
      expect(world.published).toHaveLength(1);
    });

    it('across concurrent batches share one outcome and one record', async () => {
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      world.publish = async () => {
        await gate;
        return { kind: 'accepted', dropped: [], warnings: [] };
      };
      const first = world.outcomes(event({}), event({ id: 'e-2' }));
      await turn();
      const second = world.outcomes(event({ id: 'e-2' }), event({ id: 'e-3' }), event({}));
      await turn();
      open();
      expect(await Promise.all([first, second])).toEqual([
        ['accepted', 'accepted'],
        ['accepted', 'accepted', 'accepted'],
      ]);
      expect(world.published).toHaveLength(3);
    });

    it('after a refusal for content are checked by their own content', async () => {
      expect(await world.outcomes(event({ name: 'none' }), event({}), event({ name: 'none' }))).toEqual([
        'event_not_negotiated',
        'accepted',
        'event_not_negotiated',
      ]);
    });
  });

  describe('an event is marked only after Kafka has it', () => {
    it('an unknown outcome leaves no mark, and the retry goes to Kafka', async () => {
      const healthy = world.publish;
      world.publish = async () => outcomeUnknown;
      expect(await world.outcomes(event({}))).toEqual(['unavailable']);
      expect(world.marks.size).toBe(0);
      world.publish = healthy;
      expect(await world.outcomes(event({}))).toEqual(['accepted']);
    });

    it('one failed send of a batch does not affect the marks of the others', async () => {
      world.publish = async ({ event: { id } }) =>
        id === 'e-1' ? refused('overloaded') : { kind: 'accepted', dropped: [], warnings: [] };
      expect(await world.outcomes(event({}), event({ id: 'e-2' }))).toEqual(['overloaded', 'accepted']);
      expect(world.marks.size).toBe(1);
    });

    it('without Redis events are accepted without marks', async () => {
      world.redisAway = true;
      expect(await world.outcomes(event({}))).toEqual(['accepted']);
      expect(await world.outcomes(event({}))).toEqual(['accepted']);
      expect(world.published).toHaveLength(2);
    });
  });

  it('without the link view answers 503 and publishes nothing, while refusals by contract continue', async () => {
    world.linksAway = true;
    expect(await world.outcomes(event({}), event({ id: 'e-2', name: 'none' }))).toEqual([
      'unavailable',
      'event_not_negotiated',
    ]);
    expect(world.published).toHaveLength(0);
  });

  it('returns 503 when a step throws, and releases the id', async () => {
    const healthy = world.publish;
    world.publish = () => Promise.reject(new Error('unexpected'));
    expect(await world.outcomes(event({}))).toEqual(['unavailable']);
    world.publish = healthy;
    expect(await world.outcomes(event({}))).toEqual(['accepted']);
  });

  it('lists refusals for their partner, but none that is our own fault', async () => {
    world.linksAway = true;
    await world.send(event({ id: 'e-1' }));
    world.linksAway = false;
    await world.send(event({ id: 'e-2', user: 'p-9' }));
    expect(world.refusedEvents.take()).toMatchObject([
      { platform: 'acme', eventId: 'e-2', code: 'user_not_linked', platformUserId: 'p-9', count: 1 },
    ]);
  });

  it('counts drift of accepted events once, and of names that are not negotiated', async () => {
    const odd = event({
      attributes: pairs('amount=ten', 'campaign=x'),
    });
    await world.outcomes(
      odd,
      odd,
      event({ id: 'e-2', attributes: [['amount', '1']] }),
      event({ id: 'e-3', name: 'none' }),
    );
    await world.outcomes(odd, event({ id: 'e-4', user: 'nobody', attributes: [['other', 'x']] }));
    expect(
      world.drift
        .take()
        .map((count) => [
          count.event,
          count.attribute,
          count.sent,
          count.notNegotiated + count.dropped + count.notParsed,
        ]),
    ).toEqual([
      ['deposit', 'amount', 2, 1],
      ['deposit', 'campaign', 1, 1],
      ['none', '', 1, 1],
    ]);
  });

  it('counts refusals per platform, code and user', async () => {
    await world.outcomes(event({ user: 'p-2' }), event({ id: 'e-2', user: 'p-2' }), event({ id: 'e-3', user: 'p-3' }));
    expect(world.refusals.take().map(({ code, platformUserId, count }) => [code, platformUserId, count])).toEqual([
      ['user_not_linked', 'p-2', 2],
      ['user_not_linked', 'p-3', 1],
    ]);
  });
});

interface Sent {
  platform?: string;
  /** Platform of the caller's key. */
  key?: string;
  user?: string;
  id?: string;
  name?: string;
  createdAt?: number;
  receivedAtMs?: number;
  attributes?: [string, string][];
}

function pairs(...given: string[]): [string, string][] {
  return given.map((pair) => pair.split('=') as [string, string]);
}

function event(sent: Sent): BatchedEvent {
  const platform = sent.platform ?? 'acme';
  const body = {
    platform,
    platform_user_id: sent.user ?? 'p-1',
    event: {
      id: sent.id ?? 'e-1',
      name: sent.name ?? 'deposit',
      created_at: sent.createdAt ?? 1_700_000_000,
      attributes: (sent.attributes ?? []).map(([name, value]) => ({ name, value })),
    },
  };
  return {
    platform: sent.key ?? platform,
    requestId: 'r-1',
    receivedAtMs: sent.receivedAtMs ?? nowMs,
    traceparent: '',
    body: Buffer.from(JSON.stringify(body)),
  };
}

function integration(platform: string): IntegrationData {
  const attributes = [{ name: 'amount', type: 'decimal' as const }];
  return {
    integration_id: `integration-of-${platform}`,
    platform,
    partner: platform,
    organizer_id: 'org-1',
    status: 'active',
    contracts: [{ version: 1, in_force_from: 0, events: [{ name: 'deposit', kind: 'repeatable', attributes }] }],
  };
}

function linkOf(account: AccountRef): ActiveLink {
  return { ...account, userId: 'u-1', linkId: 'l-1', organizerId: 'org-1', linkedAtS: 1_700_000_000 };
}
