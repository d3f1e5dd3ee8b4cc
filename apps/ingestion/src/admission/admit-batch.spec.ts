import { outcomeUnknown, refused } from '../event/outcome';
import { AdmissionWorld, event, farMs, integration, nowMs, pairs } from '../../test/admission-world';

describe('BatchAdmission', () => {
  let world: AdmissionWorld;
  beforeEach(() => (world = new AdmissionWorld()));

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
