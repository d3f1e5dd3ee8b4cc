import { randomBytes } from 'node:crypto';
import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerOperation } from '../modes/mode';
import { ModeName } from '../modes/modes';
import { ModeSelection } from '../oauth/mode-selection';
import { Account, OAuthPartner, newOAuthPartner } from '../oauth/oauth-partner';
import { OAuthServer } from '../oauth/oauth-server';
import { EndpointRequest, PartnerEndpoints, Reply, modeHeader } from '../oauth/partner-endpoints';
import { PartnerRefusal } from '../oauth/partner-refusal';
import { deliver } from './deliver';

/** A request that a partner answered. */
export interface SeenRequest {
  readonly partner: string;
  readonly operation: PartnerOperation | 'revocation';
  readonly mode: ModeName | null;
  /** The status of the answer, whether or not it arrived. */
  readonly status: number;
  readonly form: URLSearchParams;
  readonly authorization: string;
}

/** The place below the server's address where a partner is. */
const pathPattern = /^\/partners\/([a-z0-9_-]+)\/(authorize|oauth2\/token|oauth2\/userinfo|oauth2\/revoke)$/;

/**
 * Partners of the simulated kind on a free port of this machine, for specs: each at `/partners/{name}`, with any number of
 * names. A log-in needs no page: the parameter `login` of the authorization request is the account's `sub`.
 */
export class PartnerServer {
  /** All answered requests, oldest first. */
  readonly seen: SeenRequest[] = [];
  /** How long a partner's token and user info endpoints wait before they do their work, ms, by its name. */
  readonly delaysMs = new Map<string, number>();
  readonly oauth = new OAuthServer(() => undefined);
  private readonly endpoints = new PartnerEndpoints(this.oauth, () => undefined);
  private readonly partners = new Map<string, OAuthPartner>();
  private readonly server: Server = createServer((request, response) => this.handler(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** `host:port`, for an allow list. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A partner's base URL (specification, {partner_url}). */
  baseUrl(name: string): string {
    return `http://${this.host}/partners/${name}`;
  }

  /** The partner of a name, made at its first use with a client whose redirect URL is still empty. */
  of(name: string): OAuthPartner & { client: NonNullable<OAuthPartner['client']> } {
    const known = this.partners.get(name) ?? newOAuthPartner(name);
    const client = (known.client ??= {
      ...{ client_id: `podium-at-${name}`, client_secret: randomBytes(18).toString('base64url'), redirect_url: '' },
    });
    this.partners.set(name, known);
    return Object.assign(known, { client });
  }

  /** Replaces the modes in force at a partner. */
  setModes(name: string, ...modes: ModeSelection[]): void {
    this.of(name).modes = modes;
  }

  /** Answers a request; for a server of other connections, such as one with TLS. */
  readonly handler = (request: IncomingMessage, response: ServerResponse): void => void this.handle(request, response);

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${this.host}`);
    const [, name, path] = pathPattern.exec(url.pathname) ?? [];
    if (name === undefined) return void response.writeHead(404).end();
    const partner = this.of(name);
    const form = new URLSearchParams(await bodyOf(request));
    try {
      if (path === 'authorize') return this.authorize(partner, url, response);
      if (path === 'oauth2/revoke') return this.revoke(partner, request, form, response);
      await sleep(this.delaysMs.get(name) ?? 0);
      const asked: EndpointRequest = {
        url: url.href,
        contentType: request.headers['content-type'],
        authorization: request.headers.authorization,
        mode: request.headers[modeHeader] as string | undefined,
      };
      const reply =
        path === 'oauth2/token'
          ? this.endpoints.token(partner, asked, Object.fromEntries(form))
          : this.endpoints.userInfo(partner, asked);
      this.note(partner, reply, form, asked.authorization);
      await deliver(response, reply.answer, reply.delivery);
    } catch (error) {
      if (!(error instanceof PartnerRefusal)) throw error;
      response
        .writeHead(error.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: error.error }));
    }
  }

  private authorize(partner: OAuthPartner, url: URL, response: ServerResponse): void {
    const query = Object.fromEntries(url.searchParams);
    this.oauth.checkAuthorization(partner, query);
    const sub = query.login ?? 'browser-user';
    const account: Account = (partner.accounts[sub] ??= { sub, nickname: `Nick ${sub}` });
    const target = this.endpoints.redirect(partner, account, query, {
      ...{ issuer: this.baseUrl(partner.name), mode: query.mode },
    });
    response.writeHead(302, { location: target }).end();
  }

  private revoke(
    partner: OAuthPartner,
    request: IncomingMessage,
    form: URLSearchParams,
    response: ServerResponse,
  ): void {
    const { authorization } = request.headers;
    this.oauth.revoke(partner, authorization, form.get('token') ?? '');
    const seen = { partner: partner.name, operation: 'revocation', mode: null, status: 200 } as const;
    this.seen.push({ ...seen, form, authorization: authorization ?? '' });
    response.writeHead(200).end();
  }

  private note(partner: OAuthPartner, reply: Reply, form: URLSearchParams, authorization: string | undefined): void {
    const { operation, mode, answer } = reply;
    const at = { partner: partner.name, operation, mode, status: answer.status };
    this.seen.push({ ...at, form, authorization: authorization ?? '' });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
