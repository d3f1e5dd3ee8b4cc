import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml, page } from '../pages/page';
import { EventSender } from '../sending/event-sender';
import { OAuthServer, PartnerRefusal, TokenRequest } from './oauth-server';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';

type Query = Record<string, string | undefined>;

/** Mounts the three endpoints that a partner hosts, under `/partners/{name}` (specification, Partner-hosted endpoints). */
export function mountPartner(
  fastify: FastifyInstance,
  partners: Partners,
  server: OAuthServer,
  sender: EventSender,
): void {
  const partnerOf = (request: FastifyRequest): Partner => partners.of((request.params as { name: string }).name);

  fastify.get('/partners/:name/authorize', (request, reply) => {
    const partner = partnerOf(request);
    const query = request.query as Query;
    server.checkAuthorization(partner, query);
    return html(reply, logInPage(partner, query));
  });

  fastify.post('/partners/:name/authorize', (request, reply) => {
    const partner = partnerOf(request);
    const query = request.query as Query;
    server.checkAuthorization(partner, query);
    const { account, action } = request.body as { account?: string; action?: string };
    const nickname = (account ?? '').trim();
    if (action === 'fail' || nickname === '') return reply.redirect(server.refuse(query, 'login_failed'), 302);
    return reply.redirect(server.grant(partner, partners.account(partner, nickname), query), 302);
  });

  fastify.post('/partners/:name/oauth2/token', (request) => {
    if (!/^application\/x-www-form-urlencoded;\s*charset=utf-8$/i.test(request.headers['content-type'] ?? ''))
      throw new PartnerRefusal(415, 'unsupported_content_type');
    return server.token(partnerOf(request), request.headers.authorization, request.body as TokenRequest);
  });

  fastify.get('/partners/:name/oauth2/userinfo', (request) => {
    const partner = partnerOf(request);
    const account = server.userInfo(partner, request.headers.authorization);
    sender.accountLinked(partner, account);
    return { sub: account.sub, nickname: account.nickname };
  });
}

/** Responds to refusals in the partner's own format. */
export function answerRefusal(error: unknown, reply: FastifyReply): boolean {
  if (!(error instanceof PartnerRefusal)) return false;
  void reply.code(error.status).type('application/json').send({ error: error.error });
  return true;
}

function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(body);
}

function logInPage(partner: Partner, query: Query): string {
  const action = `/partners/${encodeURIComponent(partner.name)}/authorize?${new URLSearchParams(query as Record<string, string>)}`;
  return page(
    `Log in at ${partner.name}`,
    `<h1>${escapeHtml(partner.name)}</h1>
<p class="banner">Sandbox partner: any account name works, there is no password.</p>
<form method="post" action="${escapeHtml(action)}">
<label>Account <input name="account" maxlength="64" autocomplete="username" autofocus value="lucky-fox"></label>
<button type="submit" name="action" value="allow">Log in and connect</button>
<button type="submit" name="action" value="fail" class="plain">Fail the log-in</button></form>`,
  );
}
