import { Pool, inTransaction, violatedConstraint } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { outlastOutage } from '../outlast-outage';
import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { Vault } from '../vault/vault';
import { isErasedSince, userDigest } from './erased-users.queries';
import { blockErasures } from './linking-lock.store';
import { Link } from './link';
import { LinkFailureReason } from './link-outcome';
import { NewLink, lockRivals, saveLinked } from './link.store';
import { PartnerIntegration, holdActive } from './partner-integration.store';
import { sealTokens } from './seal-tokens';
import { hasLaterTokens, putTokens } from './token.store';

/** A link with the start of its flow, and when its tokens arrived in monotonic ms. */
export type BegunLink = NewLink & { readonly begunAt: Date; readonly exchangedAtMs: number };

/** With the time of the partner and of the last try this is less than `callbackLifetimeS`: until then revocations wait for a callback. */
const triedForMs = 30_000;

/** Stores a link with its tokens, its record and its audit entry. */
export class StoreLink {
  constructor(
    private readonly pool: Pool,
    private readonly vault: Vault,
  ) {}

  /**
   * While Postgres is away, as during a failover, this is tried again, also after the page was sent: the code is used, and the tokens
   * are nowhere else. A try whose commit took effect without a response is repeated without harm.
   */
  async store(partner: PartnerIntegration, pair: BegunLink, tokens: TokenSet): Promise<Link | LinkFailureReason> {
    return outlastOutage(() => this.storeOnce(partner, pair, tokens), { withinMs: triedForMs });
  }

  /**
   * Of two callbacks at once, the later insert violates the unique index; a second attempt finds the winner's row.
   * The link keeps the tokens of the later exchange, whichever is stored first: those of the earlier one may be dead.
   */
  private async storeOnce(
    partner: PartnerIntegration,
    pair: BegunLink,
    tokens: TokenSet,
  ): Promise<Link | LinkFailureReason> {
    try {
      return await this.save(partner, pair, tokens);
    } catch (error) {
      if (!violatedConstraint(error)?.startsWith('links_')) throw error;
      return this.save(partner, pair, tokens);
    }
  }

  private save(partner: PartnerIntegration, pair: BegunLink, tokens: TokenSet): Promise<Link | LinkFailureReason> {
    return inTransaction(this.pool, async (tx) => {
      await blockErasures(tx);
      if (await isErasedSince(tx, userDigest(pair), pair.begunAt)) return 'erased';
      if (!(await holdActive(tx, pair.integrationId))) return 'integration_paused';
      const rivals = await lockRivals(tx, pair);
      for (const rival of rivals) {
        if (rival.userId !== pair.userId) return 'linked_elsewhere';
        if (rival.sub !== pair.sub) return 'other_account_linked';
      }
      // By the clock of the database: those of two instances may differ.
      const exchangedAgoS = (performance.now() - pair.exchangedAtMs) / 1000;
      const origin = { originVersion: partner.originVersion, exchangedAgoS };
      const [current] = rivals;
      if (current && isActive(current) && (await hasLaterTokens(tx, current.linkId, origin))) return current;
      const link = await saveLinked(tx, pair);
      const { accessTokenLifetimeS } = partner.connection.profile;
      const sealed = sealTokens(this.vault, link.linkId, tokens, accessTokenLifetimeS);
      await putTokens(tx, link.linkId, sealed, origin);
      await appendAudit(tx, {
        actor: `user:${pair.userId}`,
        action: 'link.linked',
        subject: `link:${link.linkId}`,
        organizerId: pair.organizerId,
        detail: { platform: pair.platform },
      });
      return link;
    });
  }
}

/** Whether the partner is not known to have ended the grant. */
function isActive({ state }: Link): boolean {
  return state !== 'unlinked' && state !== 'needs_reauth';
}
