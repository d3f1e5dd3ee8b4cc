import { Account } from '@podium/simulated-partner';
import { FastifyInstance, FastifyReply } from 'fastify';
import { Partner, QueuedEvent } from '../partners/partner';
import { Partners } from '../partners/partners';
import { EventSender, Resynchronization } from '../sending/event-sender';
import { RefusedDeposit, consolePage } from './console-page';
import { DepositForm, depositFault } from './deposit-form';
import { IssuedAwards } from './issued-awards';

type Settings = Partial<Pick<Partner, 'client' | 'sending' | 'initial_facts' | 'access_token_lifetime_s'>> & {
  /** Accounts that exist before their first log-in. */
  readonly accounts?: readonly Account[];
};
type NewEvent = { name: string; attributes?: QueuedEvent['attributes']; created_at?: number };

/** Mounts the routes that control a sandbox partner: `/dev/partners/…` for scripts, `/` for people. */
export function mountConsole(
  fastify: FastifyInstance,
  partners: Partners,
  sender: EventSender,
  awards: Pick<IssuedAwards, 'of'>,
): void {
  const partnerOf = (params: unknown): Partner => partners.of((params as { name: string }).name);

  const showPage = async (reply: FastifyReply, refused?: RefusedDeposit): Promise<FastifyReply> => {
    const shown = partners.all().map(async (partner) => ({
      partner,
      awards: await awards.of(partner.sending?.platform ?? partner.name),
    }));
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(consolePage(await Promise.all(shown), refused));
  };

  fastify.get('/', (_request, reply) => showPage(reply));

  fastify.put('/dev/partners/:name', (request) => {
    const partner = partnerOf(request.params);
    const { client, accounts, sending, initial_facts, access_token_lifetime_s } = request.body as Settings;
    if (client !== undefined) partner.client = client;
    for (const { sub, nickname } of accounts ?? []) partner.accounts[sub] = { sub, nickname };
    if (sending !== undefined) partner.sending = sending;
    if (initial_facts !== undefined) partner.initial_facts = initial_facts;
    if (access_token_lifetime_s !== undefined) partner.access_token_lifetime_s = access_token_lifetime_s;
    partners.changed();
    return { name: partner.name, accounts: Object.values(partner.accounts), linked: partner.linked };
  });

  fastify.get('/dev/partners/:name', (request) => {
    const partner = partnerOf(request.params);
    return {
      name: partner.name,
      accounts: Object.values(partner.accounts),
      linked: partner.linked,
      events: partner.events,
    };
  });

  fastify.post('/dev/partners/:name/accounts/:sub/events', (request, reply) => {
    const partner = partnerOf(request.params);
    const { sub } = request.params as { sub: string };
    const { name, attributes, created_at } = request.body as NewEvent;
    return reply.code(202).send(sender.add(partner, sub, name, attributes ?? [], created_at));
  });

  fastify.post('/dev/partners/:name/resynchronize', (request, reply) => {
    const count = sender.resynchronize(partnerOf(request.params), (request.body ?? {}) as Resynchronization);
    return reply.code(202).send({ resending: count });
  });

  fastify.post('/console/:name/deposit', (request, reply) => {
    const partner = partnerOf(request.params);
    const typed = request.body as DepositForm;
    const fault = depositFault(typed, partner.accounts);
    if (fault !== null) return showPage(reply.code(400), { partner: partner.name, typed, fault });
    const [name, attribute] =
      typed.event === 'bet'
        ? ['bet', { name: 'game', value: 'dota2' }]
        : ['deposit', { name: 'currency', value: 'EUR' }];
    sender.add(partner, String(typed.account), name, [
      { name: 'amount', value: String(typed.amount).trim() },
      attribute,
    ]);
    return reply.redirect('/', 303);
  });

  fastify.post('/console/:name/events/:id/again', (request, reply) => {
    const { id } = request.params as { id: string };
    sender.sendAgain(partnerOf(request.params), id);
    return reply.redirect('/', 303);
  });
}
