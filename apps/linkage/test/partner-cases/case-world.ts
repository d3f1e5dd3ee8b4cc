import { ModeName, PartnerOperation, PartnerServer } from '@podium/simulated-partner';
import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { AdminClient, adminClient } from '../admin-client';
import { LinkBrowser } from '../link-browser';
import { LinkViews } from '../link-views';
import { RunningLinkage, startLinkage } from '../running-linkage';

/** An integration with a simulated partner of its own, so that no open circuit breaker affects another case. */
export interface CaseIntegration {
  readonly integrationId: string;
  /** Also the partner's name at the server of simulated partners. */
  readonly platform: string;
}

/** What somebody saw of a case, in the columns of the table. */
export interface SeenOutcome {
  /** The page after the redirect, or the user's list of partners. */
  readonly page: string;
  /** The reason of a failed flow with the partner's code, or the problem of a link; null when there is none. */
  readonly code: string | null;
  readonly link: string;
  /** What operators read in the log about requests to the partner, one entry per kind of line. */
  readonly operators: readonly string[];
}

/** A link in the operators' list. */
interface ListedLink {
  readonly state: string;
  readonly problem: string | null;
  readonly refreshable: boolean | null;
}

const noRefreshToken = 'the link has no refresh token';

/** Timeout of a request to a partner that answers: far above what a busy machine needs. */
const patientMs = 10_000;
/** Timeout of a request that is never answered, which is how long such a case lasts. */
export const impatientMs = 1_500;
/** Modes in which the answer does not come before the timeout. */
const unanswered: readonly ModeName[] = ['no-answer', 'no-body', 'slow-headers', 'drip', 'answer-late-after-rotation'];

/** Linkage as it runs, with real servers, and any number of simulated partners. */
export class CaseWorld {
  private constructor(
    readonly linkage: RunningLinkage,
    readonly partners: PartnerServer,
    readonly admin: AdminClient,
    readonly database: Client,
    private readonly views: LinkViews,
  ) {}

  static async start(hosts: readonly string[] = [], partners = new PartnerServer()): Promise<CaseWorld> {
    await partners.start();
    const linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: [partners.host, ...hosts].join(',') });
    const database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    const views = new LinkViews();
    views.start();
    views.follow();
    return new CaseWorld(linkage, partners, await adminClient(linkage, { '*': 'admin' }), database, views);
  }

  async stop(): Promise<void> {
    await this.views.stop();
    await this.database.end();
    await this.linkage.stop();
    await this.partners.stop();
  }

  /** An integration; `baseUrl` and `baseUrlOf` replace the address of the token and user info endpoints. */
  async integration(
    change: { baseUrl?: string; baseUrlOf?: (platform: string) => string; profile?: object } = {},
  ): Promise<CaseIntegration> {
    const platform = freshName('p');
    const { client } = this.partners.of(platform);
    const answer = await this.admin.post('/integrations', {
      ...{ platform, partner: platform, organizer_id: 'organizer-1', display_name: 'Arena' },
      authorization_url: `${this.partners.baseUrl(platform)}/authorize`,
      base_url: change.baseUrl ?? change.baseUrlOf?.(platform) ?? this.partners.baseUrl(platform),
      ...{ client_id: client.client_id, client_secret: client.client_secret },
      profile: { timeout_ms: patientMs, ...change.profile },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    const integrationId = answer.json.integration_id as string;
    client.redirect_url = `https://test.podium.example/v1/oauth/callback/${integrationId}`;
    return { integrationId, platform };
  }

  /** Lets an integration's partner err from the next request on, at some operations or wherever the mode has an effect. */
  async setMode({ integrationId, platform }: CaseIntegration, mode: ModeName, at?: PartnerOperation): Promise<void> {
    if (unanswered.includes(mode)) {
      const body = { profile: { timeout_ms: impatientMs } };
      const answer = await this.admin.patch(`/integrations/${integrationId}`, body);
      if (answer.status !== 200) throw new Error(answer.text);
    }
    this.partners.setModes(platform, { mode, ...(at && { at: [at] }) });
  }

  browser(userId = freshName('user')): Promise<LinkBrowser> {
    return LinkBrowser.of(this.linkage, userId);
  }

  /** Starts a flow as a program does, with a token of the user. */
  async start(integrationId: string, body: object): Promise<{ status: number; code: string | undefined }> {
    const answer = await fetch(`${this.linkage.url}/v1/me/links/${integrationId}/start`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await this.linkage.userToken(freshName('user'))}`,
        'content-type': 'application/json',
        'x-podium-internal-token': this.linkage.internalToken,
      },
      body: JSON.stringify(body),
    });
    const { error } = (await answer.json()) as { error?: { code: string } };
    return { status: answer.status, code: error?.code };
  }

  /** What is known after a flow came back with this page. */
  async afterFlow(integration: CaseIntegration, browser: LinkBrowser, page: string): Promise<SeenOutcome> {
    const { integrationId } = integration;
    const failure = this.lines(integration).find(({ msg }) => msg === 'a linking flow failed');
    const reply = await browser.get(`/v1/me/links/${integrationId}`);
    const link = reply.status === 200 ? (reply.json().link as { state: string } | null) : null;
    const code = failure && [failure.reason, failure.partner_code].filter(Boolean).join(' ');
    const listed = await this.listed(integration, browser);
    const operators = [...this.failures(integration), ...(listed?.refreshable === false ? [noRefreshToken] : [])];
    return { page: textOf(page), code: code ?? null, link: link?.state ?? 'none', operators };
  }

  /** What is known of a user's link after background work or a check. */
  async afterCheck(integration: CaseIntegration, browser: LinkBrowser): Promise<SeenOutcome> {
    const { text } = await browser.get('/connect');
    const partner = text.split(`id="partner-${integration.integrationId}"`)[1]?.split('</li>')[0] ?? '';
    const link = await this.listed(integration, browser);
    const operators = this.failures(integration);
    return { page: textOf(partner), code: link?.problem ?? null, link: link?.state ?? 'none', operators };
  }

  /** A user's link in the operators' list. */
  private async listed({ platform }: CaseIntegration, { userId }: LinkBrowser): Promise<ListedLink | undefined> {
    const { json } = await this.admin.get(`/links?platform=${platform}&user_id=${userId}`);
    return (json.items as ListedLink[])[0];
  }

  /** The log lines about an integration. */
  lines({ integrationId, platform }: CaseIntegration): Record<string, unknown>[] {
    const own = this.linkage.logged.filter((line) => line.includes(integrationId) || line.includes(`"${platform}"`));
    return own.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  private failures(integration: CaseIntegration): string[] {
    const failed = this.lines(integration).filter(({ msg }) => msg === 'a request to a partner failed');
    const words = failed.map(({ operation, outcome, reason, status, partner_code: code, retry_after_s: retry }) =>
      [
        `${operation} ${outcome}: ${reason}`,
        ...[status && `status ${status}`, code, retry && `retry after ${retry} s`].filter(Boolean),
      ].join(', '),
    );
    return [...new Set(words)];
  }
}

/** The text of a page as a user reads it. */
function textOf(html: string): string {
  return html
    .replace(/<(style|script)\b[^]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}
