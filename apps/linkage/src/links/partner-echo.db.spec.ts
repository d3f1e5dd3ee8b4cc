import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { Server, ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '@podium/messages';
import { Tracing, startTracing } from '@podium/runtime/trace';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { pino } from 'pino';
import { AdminClient, adminClient } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { Answer, LiteralPartner, SeenRequest } from '../../test/literal-partner';
import { TopicReader, readTopics } from '../../test/read-topics';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

/** Encodings in which a partner may repeat what it received. */
const encodings: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  'inside a sentence': (secret) => `The value ${secret} is not known, sorry`,
  truncated: (secret) => secret.slice(0, 12),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  percent: (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'with zero-width spaces': (secret) => secret.replace(/(.{5})/g, '$1\u200b'),
  reversed: (secret) => [...secret].reverse().join(''),
};

/** All encodings of a secret; each is long enough to exclude an accidental match. */
function encodedForms(secret: string): string[] {
  return Object.values(encodings).map((encode) => encode(secret));
}

type Place = (echo: string) => { token?: Answer; userInfo?: Answer };

/** Places in which a partner may repeat a secret. */
const places: Record<string, Place> = {
  'error of the token endpoint, 400': (error) => ({ token: { status: 400, body: { error } } }),
  'error of the token endpoint, 401': (error) => ({ token: { status: 401, body: { error } } }),
  'error of the token endpoint, 200': (error) => ({ token: { status: 200, body: { error } } }),
  error_description: (text) => ({
    token: { status: 400, body: { error: 'invalid_grant', error_description: text, error_uri: `https://x/${text}` } },
  }),
  'a body that is not JSON': (text) => ({ token: { status: 400, body: `<html>${text}</html>` } }),
  'a body with a secret as a field name': (text) => ({
    token: { status: 200, body: { [text]: text, access_token: 7 } },
  }),
  'headers of the token endpoint': (text) => ({
    token: {
      status: 401,
      headers: {
        'www-authenticate': `Basic realm="${encodeURIComponent(text)}"`,
        'retry-after': encodeURIComponent(text),
        'x-request-id': encodeURIComponent(text),
        location: `https://x/${encodeURIComponent(text)}`,
        'content-type': `text/html; charset=${encodeURIComponent(text)}`,
      },
      body: '',
    },
  }),
  'the content coding': (text) => ({
    token: { status: 200, headers: { 'content-encoding': encodeURIComponent(text) }, body: '{}' },
  }),
  'the status line': (text) => ({
    token: (response) => void response.writeHead(503, encodeURIComponent(text)).end('{}'),
  }),
  'a response that is not HTTP': (text) => ({ token: (_response, socket) => void socket.end(`${text}\r\n\r\n`) }),
  'error of the user info endpoint, 401': (error) => ({ userInfo: { status: 401, body: { error } } }),
  'error of the user info endpoint, 403': (error) => ({ userInfo: { status: 403, body: { error } } }),
  'the challenge of the user info endpoint': (text) => ({
    userInfo: {
      status: 401,
      headers: { 'www-authenticate': `Bearer error="${encodeURIComponent(text)}"` },
      body: '',
    },
  }),
  'a user info response without sub': (text) => ({ userInfo: { body: { error: text, hint: text } } }),
};

describe('a partner that echoes secrets', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  const spans: string[] = [];
  const collector: Server = createServer((request, response: ServerResponse) => {
    request.on('data', (chunk: Buffer) => spans.push(chunk.toString())).on('end', () => response.end('{}'));
  });
  const allSecrets = new Set<string>();
  let tracing: Tracing | undefined;
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let database: Client;
  let reader: TopicReader;
  let tlsPort: number;
  let loggedBefore: number;
  const tls = selfSigned('CANARY-SUBJECT.example');

  beforeAll(async () => {
    await partner.start();
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    tlsPort = (tls.address() as AddressInfo).port;
    tracing = startTracing({
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      ...{ ratio: 1, service: 'linkage', instance: 'spec', environment: 'test', logger: pino({ level: 'silent' }) },
    });
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: `${partner.host},127.0.0.1:${tlsPort}` });
    admin = await adminClient(linkage, { '*': 'admin' });
    database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    reader = await readTopics([topics.links, topics.integrations]);
    views.start();
    views.follow();
  }, 60_000);

  beforeEach(() => {
    Object.assign(partner, { tokenAnswer: null, userInfoAnswer: null });
    partner.seen.length = 0;
    loggedBefore = linkage.logged.length;
  });

  afterAll(async () => {
    await views.stop();
    await reader.stop();
    await database.end();
    await linkage.stop();
    await partner.stop();
    for (const server of [collector, tls]) server.close();
  });

  /** Each case has its own platform, so that no open circuit breaker affects another case. */
  async function integration(baseUrl = partner.baseUrl): Promise<string> {
    const name = freshName('p');
    const answer = await admin.post('/integrations', {
      ...{ platform: name, partner: name, organizer_id: 'organizer-1', display_name: 'Arena' },
      ...{ authorization_url: `${partner.baseUrl}/authorize`, base_url: baseUrl },
      ...{ client_id: partner.clientId, client_secret: partner.clientSecret },
    });
    expect(answer.status).toBe(201);
    return answer.json.integration_id as string;
  }

  /** All outputs of the service: pages, metrics, topics, tables, lists and the log lines of this case. */
  async function outputs(pages: readonly string[]): Promise<string> {
    const tables = ['links', 'link_tokens', 'oauth_flows', 'audit', 'outbox'].map((table) =>
      database.query(`SELECT * FROM linkage.${table}`),
    );
    const rows = (await Promise.all(tables)).map(({ rows: found }) => JSON.stringify(found));
    const lists = await Promise.all(
      ['/links', '/audit?limit=200', '/integrations?limit=200'].map((path) => admin.get(path)),
    );
    return [
      ...pages,
      ...linkage.logged.slice(loggedBefore),
      await linkage.metrics(),
      reader.everything(),
      ...rows,
      ...lists.map(({ text }) => text),
    ].join('\n');
  }

  async function expectNotExposed(pages: readonly string[], secrets: readonly string[]): Promise<void> {
    const output = await outputs(pages);
    for (const secret of new Set(secrets.filter((text) => text !== ''))) {
      allSecrets.add(secret);
      expect(encodedForms(secret).filter((form) => output.includes(form))).toEqual([]);
    }
  }

  const seenOf = (path: string): SeenRequest | undefined => partner.seen.findLast((request) => request.path === path);

  it.each(Object.keys(places))(
    'in %s exposes them nowhere, in any encoding',
    async (place) => {
      const pages: string[] = [];
      const secrets: string[] = [];
      const id = await integration();
      for (const encode of Object.values(encodings)) {
        const browser = await LinkBrowser.of(linkage, freshName('user'));
        const url = await browser.begin(id);
        const back = await browser.atPartner(url, freshName('sub'));
        const echoes = [
          new URLSearchParams(back.split('?')[1]).get('code') ?? '',
          url.searchParams.get('state') ?? '',
          partner.clientSecret,
        ];
        secrets.push(...echoes);
        // One text contains all secrets; none of them may appear anywhere.
        const special = places[place](echoes.map(encode).join(' '));
        partner.tokenAnswer = special.token ?? null;
        partner.userInfoAnswer = special.userInfo ?? null;
        const page = await browser.get(back);
        expect(page.status).toBe(400);
        pages.push(page.text);
        const form = seenOf('/oauth2/token')?.form;
        secrets.push(form?.get('code_verifier') ?? '', seenOf('/oauth2/userinfo')?.authorization.slice(7) ?? '');
      }
      await expectNotExposed(pages, secrets);
    },
    60_000,
  );

  it.each(['error', 'error_description', 'error_uri'])(
    'in %s of its redirect exposes them nowhere',
    async (parameter) => {
      const id = await integration();
      const pages: string[] = [];
      const secrets: string[] = [];
      for (const encode of Object.values(encodings)) {
        const browser = await LinkBrowser.of(linkage, freshName('user'));
        const { searchParams } = await browser.begin(id);
        const state = searchParams.get('state') ?? '';
        secrets.push(state, partner.clientSecret);
        const query = new URLSearchParams({ error: 'access_denied', state });
        query.set(parameter, encode(state) + encode(partner.clientSecret));
        pages.push((await browser.get(`/v1/oauth/callback/${id}?${query}`)).text);
      }
      await expectNotExposed(pages, secrets);
    },
  );

  it('in a refresh or a background check exposes them nowhere', async () => {
    const id = await integration();
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(id, freshName('sub'));
    const token = seenOf('/oauth2/userinfo')?.authorization.slice(7) ?? '';
    const secrets = new Set([token]);
    for (const encode of Object.values(encodings)) {
      await database.query(`UPDATE linkage.links SET user_info_at = now() - interval '1 hour'`);
      await database.query(`UPDATE linkage.link_tokens SET expires_at = now()`);
      partner.tokenAnswer = { status: 400, body: { error: encode(token), error_description: encode(token) } };
      await browser.get(`/v1/me/links/${id}?refresh=true`);
      secrets.add(seenOf('/oauth2/token')?.form.get('refresh_token') ?? token);
    }
    await expectNotExposed([], [...secrets]);
  });

  it('in its certificate exposes them nowhere', async () => {
    const id = await integration(`https://127.0.0.1:${tlsPort}`);
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    const page = await browser.get(await browser.atPartner(await browser.begin(id), freshName('sub')));
    expect(page.text).toContain('cannot be reached');
    expect(await outputs([page.text])).not.toContain('CANARY-SUBJECT');
  });

  it('exposes them in no trace span', async () => {
    await tracing?.stop();
    const output = spans.join('\n');
    expect(output).toContain('/v1/oauth/callback/:integration_id');
    for (const secret of [...allSecrets, 'CANARY-SUBJECT'])
      expect(encodedForms(secret).filter((form) => output.includes(form))).toEqual([]);
  });
});

/** A server with a self-signed certificate, whose subject appears in the client's error. */
function selfSigned(subject: string): ReturnType<typeof createTlsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject}`];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => response.end());
}
