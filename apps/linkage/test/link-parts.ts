import { fixed } from '@podium/runtime/config';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Link } from '../src/links/link';
import { NewLink, saveLinked } from '../src/links/link.store';
import { sealTokens } from '../src/links/seal-tokens';
import { putTokens } from '../src/links/token.store';
import { migrations, schema } from '../src/migrations';
import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { Vault } from '../src/vault/vault';
import { InsertedPartner, insertIntegration } from './insert-integration';
import { LinkInstance, linkInstance } from './link-instance';
import { LiteralPartner } from './literal-partner';
import { vaultKey } from './spec-keys';

/** Links with a real database and a partner, without HTTP and Kafka, for any number of instances. */
export class LinkParts {
  readonly vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));
  readonly logged: string[] = [];
  readonly logger = pino({ level: 'trace' }, { write: (line: string) => void this.logged.push(line) });

  private constructor(
    readonly pool: Pool,
    private readonly database: FreshDatabase,
    readonly partner: LiteralPartner,
  ) {}

  static async start(): Promise<LinkParts> {
    const database = await freshDatabase({ schema, migrations });
    const pool = createPool(
      { url: database.url, size: 20, service: 'spec' },
      pino({ level: 'silent' }),
      new Registry(),
    );
    const partner = new LiteralPartner();
    await partner.start();
    return new LinkParts(pool, database, partner);
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.database.drop();
    await this.partner.stop();
  }

  /** The parts of one instance, as in a separate process; `nowMs` is the clock of its background work. */
  instance(name: string, nowMs?: () => number): LinkInstance {
    const { pool, vault, logger } = this;
    return linkInstance({ pool, vault, logger, partnerHost: this.partner.host, instance: name, nowMs });
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** An integration with the partner, or with another one. */
  async integration(partner: InsertedPartner = this.partner): Promise<{ integrationId: string; platform: string }> {
    const platform = freshName('p');
    const integrationId = await insertIntegration(this.database.url, {
      platform,
      displayName: 'Partner',
      partner,
    });
    return { integrationId, platform };
  }

  /** A ready link whose tokens the partner has just issued. */
  async link(integration: { integrationId: string; platform: string }, change: Partial<TokenSet> = {}): Promise<Link> {
    const sub = freshName('sub');
    return this.linkWith(integration, sub, { ...(await this.tokensFor(sub)), ...change });
  }

  /** A ready link with these tokens. */
  async linkWith(
    integration: { integrationId: string; platform: string },
    sub: string,
    tokens: TokenSet,
  ): Promise<Link> {
    const userId = freshName('user');
    return this.store({ ...integration, organizerId: 'organizer-1', userId, sub, nickname: 'old nick' }, tokens);
  }

  /** Links the account of a link again with these tokens, of the same user or of another; ready. */
  linkAgain(ended: Link, tokens: TokenSet, userId = ended.userId): Promise<Link> {
    return this.store({ ...ended, userId }, tokens);
  }

  private async store(pair: NewLink, tokens: TokenSet): Promise<Link> {
    const link = await inTransaction(this.pool, async (tx) => {
      const saved = await saveLinked(tx, pair);
      await putTokens(tx, saved.linkId, sealTokens(this.vault, saved.linkId, tokens, 3600), {
        originVersion: 1,
        exchangedAgoS: 0,
      });
      return saved;
    });
    await this.pool.query(`UPDATE linkage.links SET state = 'ready', ready_at = now() WHERE link_id = $1`, [
      link.linkId,
    ]);
    return link;
  }

  /** The published states of a link, oldest first. */
  async published(link: Link): Promise<string[]> {
    const { rows } = await this.pool.query<{ data: string }>(`SELECT data FROM linkage.outbox ORDER BY id`);
    const states = rows.map(({ data }) => JSON.parse(data) as { link_id: string; state: string });
    return states.filter((data) => data.link_id === link.linkId).map(({ state }) => state);
  }

  /** Outcomes in the journal of a link, oldest first; null is an attempt that is still open. */
  async journal(link: Link): Promise<(string | null)[]> {
    const { rows } = await this.pool.query<{ outcome: string | null }>(
      `SELECT outcome FROM linkage.token_refreshes WHERE link_id = $1 ORDER BY refresh_id`,
      [link.linkId],
    );
    return rows.map(({ outcome }) => outcome);
  }

  /** Why a link needs a log-in; null in every other state. */
  async reauthReason(link: Link): Promise<string | null> {
    const { rows } = await this.pool.query<{ reason: string | null }>(
      `SELECT CASE WHEN state = 'needs_reauth' THEN reauth_reason END AS reason FROM linkage.links WHERE link_id = $1`,
      [link.linkId],
    );
    return rows[0].reason;
  }

  /** Makes the access token due, so that the next caller refreshes it. */
  async expire(link: Link): Promise<void> {
    await this.pool.query(
      `UPDATE linkage.link_tokens SET expires_at = now(), refresh_due_at = now() WHERE link_id = $1`,
      [link.linkId],
    );
  }

  async state(link: Link): Promise<string> {
    const { rows } = await this.pool.query<{ state: string }>(`SELECT state FROM linkage.links WHERE link_id = $1`, [
      link.linkId,
    ]);
    return rows[0].state;
  }

  /** Tokens of a new grant of an account. */
  async tokensFor(sub: string): Promise<TokenSet> {
    const answer = await fetch(`${this.partner.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${this.partner.clientId}:${this.partner.clientSecret}`).toString('base64')}`,
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: this.partner.issueCode({ sub, nickname: `Nick ${sub}` }),
      }),
    });
    const { access_token, refresh_token } = (await answer.json()) as Record<string, string>;
    return { accessToken: access_token, refreshToken: refresh_token, expiresInS: null };
  }
}
