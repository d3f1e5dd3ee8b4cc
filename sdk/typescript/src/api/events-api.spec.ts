import { DocumentedServer } from '../../test/documented-server';
import { encoded } from '../../test/events';
import { JumpingClock } from '../../test/jumping-clock';
import { RatePacer } from '../pacing/rate-pacer';
import { addressesOf } from './address';
import { EventsApi, retryAfterOf } from './events-api';

describe('EventsApi', () => {
  let server: DocumentedServer;
  let clock: JumpingClock;
  let pacer: RatePacer;
  let api: EventsApi;

  beforeEach(async () => {
    server = new DocumentedServer();
    clock = new JumpingClock();
    const addresses = addressesOf(await server.listen());
    pacer = new RatePacer(clock, 40);
    api = new EventsApi({ addresses, apiKey: () => 'k', userAgent: 'test', timeoutMs: 5_000, clock, pacer });
  });
  afterEach(async () => {
    api.close();
    await server.close();
  });

  it('takes one place for each event of a batch that is refused as a whole', async () => {
    server.behaviour = { rate: 30 };
    const [taken, given] = [jest.spyOn(pacer, 'take'), jest.spyOn(pacer, 'giveBack')];
    const results = await api.sendBatch(Array.from({ length: 40 }, (_, n) => encoded(`e${n}`)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(40);
    expect(server.requests).toHaveLength(41);
    const places = ({ mock }: { mock: { calls: readonly unknown[][] } }): number =>
      mock.calls.reduce((sum, [events]) => sum + Number(events), 0);
    expect([places(taken), places(given)]).toEqual([80, 40]);
  });

  it('asks for batches again ten minutes after a deployment had none', async () => {
    const pathsOf = async (...ids: string[]): Promise<unknown[]> => {
      const before = server.requests.length;
      await api.sendBatch(ids.map((id) => encoded(id)));
      return server.requests.slice(before).map(({ path }) => path.split('/').at(-1));
    };
    server.behaviour = { hasBatch: false };
    expect(await pathsOf('a', 'b')).toEqual(['batch', 'send', 'send']);
    server.behaviour = {};
    expect(await pathsOf('c', 'd')).toEqual(['send', 'send']);
    await clock.sleep(600_000);
    expect(await pathsOf('e', 'f')).toEqual(['batch']);
  });

  it('pauses when an event of a batch is over the rate', async () => {
    server.behaviour = { refuse: ({ event }) => (event.id === 'b' ? 'rate_limited' : undefined) };
    const blocked = jest.spyOn(pacer, 'block');
    const results = await api.sendBatch([encoded('a'), encoded('b')]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(blocked).toHaveBeenCalledTimes(1);
  });

  it('says that nothing was sent of requests that end while they wait for their place', async () => {
    const caller = new AbortController();
    caller.abort(new Error('too late'));
    const results = [
      await api.send(encoded('a'), caller.signal),
      ...(await api.sendBatch([encoded('b'), encoded('c')], caller.signal)),
    ];
    const error: unknown = expect.objectContaining({
      ...{ code: 'no_response', retry: 'now', cause: caller.signal.reason },
      message: expect.stringMatching(/^Not sent: /),
    });
    expect(results).toEqual(['a', 'b', 'c'].map((eventId) => ({ ok: false, eventId, error })));
    expect(server.requests).toEqual([]);
  });

  it.each([400, 406, 413])('sends each event alone when a proxy refuses the batch with %i', async (status) => {
    server.behaviour = { batchStatusOfProxy: status };
    const results = await api.sendBatch([encoded('a'), encoded('b')]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(server.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['batch', 'send', 'send']);
  });

  it.each([401, 403, 404, 405, 407, 408, 425, 429, 502, 503])(
    'sends no event alone when a proxy answers the batch with %i',
    async (status) => {
      server.behaviour = { batchStatusOfProxy: status };
      const results = await api.sendBatch([encoded('a'), encoded('b')]);
      expect(results.map(({ ok }) => ok)).toEqual([false, false]);
      expect(server.requests).toHaveLength(1);
    },
  );
});

describe('Retry-After', () => {
  const answeredAt = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const waitOf = (value: string, date?: string): number | undefined =>
    retryAfterOf({ headers: { 'retry-after': value, ...(date !== undefined && { date }) } });

  it('is whole seconds', () => {
    expect([waitOf('7'), waitOf('0'), waitOf('86400')]).toEqual([7_000, 0, 86_400_000]);
  });

  it.each(['86401', '999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])('is a day at most: %s', (value) => {
    expect(waitOf(value, answeredAt)).toBe(86_400_000);
  });

  it.each(['Sun, 06 Nov 1994 08:50:07 GMT', 'Sunday, 06-Nov-94 08:50:07 GMT', 'Sun Nov  6 08:50:07 1994'])(
    'is a time by the clock of the answer, also when that of this machine is years off: %s',
    (value) => {
      expect(waitOf(value, answeredAt)).toBe(30_000);
    },
  );

  it('is a time by the clock of this machine when the answer has none', () => {
    const waitMs = waitOf(new Date(Date.now() + 30_000).toUTCString());
    expect(waitMs).toBeGreaterThan(25_000);
    expect(waitMs).toBeLessThanOrEqual(30_000);
  });

  it.each(['', '-1', 'soon', '1e9', '1.5', '2050.5', '1767225600000', 'Thu, 99 Foo 2020', answeredAt])(
    'is not known from %j',
    (value) => {
      expect(waitOf(value, answeredAt)).toBeUndefined();
    },
  );
});
