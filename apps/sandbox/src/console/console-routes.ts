import { FastifyInstance } from 'fastify';
import { Partner, QueuedEvent } from '../partner/partner';
import { Partners } from '../partner/partners';
import { escapeHtml, page } from '../page';
import { EventSender, Resynchronization } from '../sending/event-sender';

type Settings = Partial<Pick<Partner, 'client' | 'sending' | 'initial_facts' | 'access_token_lifetime_s'>>;
type NewEvent = { name: string; attributes?: QueuedEvent['attributes']; created_at?: number };

/** Mounts what a developer steers a sandbox partner with: `/dev/partners/…` for scripts, `/` for people. */
export function mountConsole(fastify: FastifyInstance, partners: Partners, sender: EventSender): void {
  const partnerOf = (params: unknown): Partner => partners.of((params as { name: string }).name);

  fastify.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(overview(partners.all())));

  fastify.put('/dev/partners/:name', (request) => {
    const partner = partnerOf(request.params);
    const { client, sending, initial_facts, access_token_lifetime_s } = request.body as Settings;
    if (client !== undefined) partner.client = client;
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
    const { account, amount } = request.body as { account: string; amount: string };
    sender.add(partnerOf(request.params), account, 'deposit', [
      { name: 'amount', value: amount },
      { name: 'currency', value: 'EUR' },
    ]);
    return reply.redirect('/', 303);
  });
}

function overview(partners: Partner[]): string {
  const sections = partners.map((partner) => {
    const accounts = Object.values(partner.accounts);
    const rows = partner.events
      .slice(-20)
      .reverse()
      .map(
        (event) =>
          `<tr><td>${escapeHtml(partner.accounts[event.sub]?.nickname ?? event.sub)}</td><td>${escapeHtml(event.name)}</td>` +
          `<td>${event.attempts}</td><td>${event.accepted ? 'accepted' : 'retrying'}</td><td>${escapeHtml(event.last_answer.slice(0, 90))}</td></tr>`,
      );
    const options = accounts.map((a) => `<option value="${escapeHtml(a.sub)}">${escapeHtml(a.nickname)}</option>`);
    return `<h2>${escapeHtml(partner.name)}</h2>
${
  accounts.length === 0
    ? '<p>No account has logged in yet.</p>'
    : `<form method="post" action="/console/${encodeURIComponent(partner.name)}/deposit">
<label>Account <select name="account">${options.join('')}</select></label>
<label>Amount <input name="amount" value="100.00" required></label>
<button type="submit">Make a deposit</button></form>`
}
<table><thead><tr><th>Account</th><th>Event</th><th>Attempts</th><th>State</th><th>Last answer</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  });
  return page(
    'Sandbox partners',
    `<h1>Sandbox partners</h1>
<p class="banner">Development only: partners to link with, and what they have sent.</p>
${sections.join('') || '<p>No partner is configured.</p>'}`,
  );
}
