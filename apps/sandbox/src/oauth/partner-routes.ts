import {
  EndpointRequest,
  OAuthServer,
  PartnerEndpoints,
  Reply,
  TokenRequest,
  deliver,
  modeHeader,
} from '@podium/simulated-partner';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';
import { EventSender } from '../sending/event-sender';
import { logInPage } from './log-in-page';

type Query = Record<string, string | undefined>;

/** Mounts the endpoints that a partner hosts, under `/partners/{name}` (specification, Partner-hosted endpoints). */
export function mountPartner(
  fastify: FastifyInstance,
  { partners, sandboxUrl, sender }: { partners: Partners; sandboxUrl: string; sender: EventSender },
): void {
  const changed = (): void => partners.changed();
  const server = new OAuthServer(changed);
  const endpoints = new PartnerEndpoints(server, changed);
  const partnerOf = (request: FastifyRequest): Partner => partners.of((request.params as { name: string }).name);

  fastify.get('/partners/:name/authorize', (request, reply) => {
    const partner = partnerOf(request);
    const query = request.query as Query;
    server.checkAuthorization(partner, query);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(logInPage(partner, query));
  });

  fastify.post('/partners/:name/authorize', (request, reply) => {
    const partner = partnerOf(request);
    const query = request.query as Query;
    server.checkAuthorization(partner, query);
    const { account, action, mode } = (request.body ?? {}) as { account?: string; action?: string; mode?: string };
    const nickname = (account ?? '').trim();
    if (action === 'fail' || nickname === '') return reply.redirect(refusal(query.redirect_uri ?? ''), 302);
    const issuer = `${sandboxUrl}/partners/${partner.name}`;
    const loggedIn = partners.account(partner, nickname);
    return reply.redirect(endpoints.redirect(partner, loggedIn, query, { issuer, mode }), 302);
  });

  fastify.post('/partners/:name/oauth2/token', (request, reply) => {
    const asked = endpointRequest(request, sandboxUrl);
    return send(reply, endpoints.token(partnerOf(request), asked, (request.body ?? {}) as TokenRequest));
  });

  fastify.get('/partners/:name/oauth2/userinfo', (request, reply) => {
    const partner = partnerOf(request);
    const onIdentified = (account: { sub: string; nickname: string }): void => sender.accountLinked(partner, account);
    return send(reply, endpoints.userInfo(partner, endpointRequest(request, sandboxUrl), onIdentified));
  });

  fastify.post('/partners/:name/oauth2/revoke', (request, reply) => {
    const { token } = (request.body ?? {}) as { token?: string };
    server.revoke(partnerOf(request), request.headers.authorization, token ?? '');
    return reply.code(200).send();
  });
}

function endpointRequest(request: FastifyRequest, sandboxUrl: string): EndpointRequest {
  return {
    url: `${sandboxUrl}${request.url}`,
    contentType: request.headers['content-type'],
    authorization: request.headers.authorization,
    mode: request.headers[modeHeader] as string | undefined,
  };
}

/** A mode may write what no framework would, so the answer goes to the connection itself. */
async function send(reply: FastifyReply, { answer, delivery }: Reply): Promise<void> {
  reply.hijack();
  await deliver(reply.raw, answer, delivery);
}

/** The failed redirect carries `error` alone (specification, Failed redirect). */
function refusal(redirectUri: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('error', 'login_failed');
  return url.href;
}
