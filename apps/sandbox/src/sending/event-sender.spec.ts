import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { JsonFile } from '../storage/json-file';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';
import { EventSender } from './event-sender';

interface Sent {
  authorization: string | undefined;
  body: { platform: string; platform_user_id: string; event: { id: string; name: string } };
}

describe('EventSender', () => {
  let service: Server;
  let answers: number[];
  let sent: Sent[];
  let partner: Partner;
  let sender: EventSender;

  beforeEach(async () => {
    answers = [];
    sent = [];
    service = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        sent.push({ authorization: request.headers.authorization, body: JSON.parse(text) as Sent['body'] });
        response.writeHead(answers.shift() ?? 200, { 'retry-after': '1' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const file = new JsonFile<Record<string, Partner>>('/nowhere', {});
    jest.spyOn(file, 'changed').mockReturnValue();
    const partners = new Partners(file);
    partner = partners.of('acme');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/send`;
    partner.sending = { send_event_url: url, platform: 'acme', event_api_key: 'key' };
    sender = new EventSender(partners);
    sender.start();
  });

  afterEach(() => {
    sender.stop();
    service.closeAllConnections();
    service.close();
  });

  const until = async (done: () => boolean): Promise<void> => {
    for (const end = Date.now() + 20_000; !done(); await new Promise((resolve) => setTimeout(resolve, 20)))
      if (Date.now() > end) throw new Error(`not within 20 s: ${JSON.stringify(sent)}`);
  };

  it('sends the initial facts of an account once, right after linking', async () => {
    partner.initial_facts = [
      { name: 'registration', attributes: [] },
      { name: 'deposit', attributes: [{ name: 'amount', value: '1' }] },
    ];
    sender.accountLinked(partner, { sub: 's1', nickname: 'fox' });
    sender.accountLinked(partner, { sub: 's1', nickname: 'fox' });
    await until(() => partner.events.length === 2 && partner.events.every((event) => event.accepted));
    expect(sent.map(({ body }) => body.event.name).sort()).toEqual(['deposit', 'registration']);
    expect(sent[0]).toMatchObject({ authorization: 'Bearer key', body: { platform: 'acme', platform_user_id: 's1' } });
  });

  it('sends an event with the same id until it is accepted, whatever the error', async () => {
    answers = [503, 404];
    const event = sender.add(partner, 's1', 'deposit', []);
    await until(() => event.accepted);
    expect(sent.map(({ body }) => body.event.id)).toEqual([event.id, event.id, event.id]);
    expect(event.attempts).toBe(3);
  });

  it('forgets an accepted event beyond 10,000, and none that still waits', () => {
    partner.sending = null;
    const events = Array.from({ length: 10_000 }, () => sender.add(partner, 's1', 'deposit', []));
    events[2].accepted = true;
    const last = sender.add(partner, 's1', 'deposit', []);
    expect(partner.events).toHaveLength(10_000);
    expect(partner.events.slice(0, 3)).toEqual([events[0], events[1], events[3]]);
    const more = sender.add(partner, 's1', 'deposit', []);
    expect(partner.events.slice(-2)).toEqual([last, more]);
    expect(partner.events).toHaveLength(10_001);
  });

  it('resends what a resynchronization covers, with the old ids', async () => {
    const events = ['s1', 's2'].map((sub) => sender.add(partner, sub, 'deposit', [], 100));
    await until(() => events.every((event) => event.accepted));
    expect(sender.resynchronize(partner, { from: 101 })).toBe(0);
    expect(sender.resynchronize(partner, { subs: ['s2'], to: 100 })).toBe(1);
    await until(() => sent.length === 3 && events[1].accepted);
    expect(sent[2].body.event.id).toBe(events[1].id);
  });
});
