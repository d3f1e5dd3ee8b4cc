import { DocumentedServer } from '../../test/documented-server';
import { encoded } from '../../test/events';
import { JumpingClock } from '../../test/jumping-clock';
import { RatePacer } from '../pacing/rate-pacer';
import { addressesOf } from './address';
import { EventsApi } from './events-api';

describe('EventsApi', () => {
  const server = new DocumentedServer();
  let api: EventsApi;

  afterAll(async () => {
    api.close();
    await server.close();
  });

  it('takes one place for each event of a batch that is refused as a whole', async () => {
    server.behaviour = { rate: 30 };
    const clock = new JumpingClock();
    const addresses = addressesOf(await server.listen());
    const pacer = new RatePacer(clock, 40);
    const [taken, given] = [jest.spyOn(pacer, 'take'), jest.spyOn(pacer, 'giveBack')];
    api = new EventsApi({ addresses, apiKey: () => 'k', userAgent: 'test', timeoutMs: 5_000, clock, pacer });
    const results = await api.sendBatch(Array.from({ length: 40 }, (_, n) => encoded(`e${n}`)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(40);
    expect(server.requests).toHaveLength(41);
    const places = ({ mock }: { mock: { calls: readonly unknown[][] } }): number =>
      mock.calls.reduce((sum, [events]) => sum + Number(events), 0);
    expect([places(taken), places(given)]).toEqual([80, 40]);
  });
});
