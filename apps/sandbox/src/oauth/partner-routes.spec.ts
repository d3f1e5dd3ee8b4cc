import fastifyFormbody from '@fastify/formbody';
import fastify, { FastifyInstance } from 'fastify';
import { answerError } from '../pages/answer-error';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';
import { EventSender } from '../sending/event-sender';
import { JsonFile } from '../storage/json-file';
import { mountPartner } from './partner-routes';

describe('the authorization page of a sandbox partner', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const request = { client_id: 'podium', redirect_uri: 'http://localhost/back', response_type: 'code', state: 's' };
  let server: FastifyInstance;

  beforeAll(async () => {
    const file = new JsonFile<Record<string, Partner>>('/nowhere', {});
    jest.spyOn(file, 'changed').mockReturnValue();
    const partners = new Partners(file);
    const client = { client_id: 'podium', client_secret: 'canary-secret', redirect_url: request.redirect_uri };
    partners.of('acme-bets').client = client;
    server = fastify();
    await server.register(fastifyFormbody);
    server.setErrorHandler((error, asked, reply) => answerError(error, asked, reply, 'http://localhost/connect'));
    mountPartner(server, { partners, sandboxUrl: 'http://localhost', sender: new EventSender(partners) });
  });
  afterAll(() => server.close());

  const urlOf = (change: object, partner = 'acme-bets'): string =>
    `/partners/${partner}/authorize?${new URLSearchParams({ ...request, ...change })}`;

  it.each([
    ['unknown_client', { client_id: 'other' }, 'client_id'],
    ['redirect_uri_mismatch', { redirect_uri: 'http://localhost/<b>' }, 'character by character'],
    ['unsupported_response_type', { response_type: 'token' }, 'response_type'],
    ['state_missing', { state: '' }, 'no state'],
  ])('tells a person what is wrong: %s', async (code, change, text) => {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await server.inject({ method, url: urlOf(change), headers: browser });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      for (const each of [code, text, 'href="http://localhost/connect"']) expect(answer.body).toContain(each);
      expect(answer.body).not.toContain('<b>');
    }
  });

  it('tells a person that the name of a partner is none', async () => {
    const answer = await server.inject({ url: urlOf({}, '%3Cb%3E'), headers: browser });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('&#60;b&#62; is not a valid partner name');
  });

  it('answers a program in the format of partners', async () => {
    const answer = await server.inject({ url: urlOf({ client_id: 'other' }) });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'unknown_client' }]);
  });

  it('takes a form without fields for a log-in that was given up', async () => {
    const answer = await server.inject({ method: 'POST', url: urlOf({}), headers: browser });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `${request.redirect_uri}?error=login_failed`]);
  });
});
