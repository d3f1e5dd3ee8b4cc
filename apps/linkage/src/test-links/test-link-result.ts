import { ShownExchange } from '../partner-client/exchange-record';
import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';
import { LinkFailureReason } from '../links/link-outcome';

/**
 * The steps of a test link in their order; `refreshed` only with a refresh token, `revoked` only with a revocation endpoint and
 * unless it is left out.
 */
export const testSteps = ['returned', 'exchanged', 'identified', 'refreshed', 'revoked'] as const;

/** One of these steps. */
export type TestStep = (typeof testSteps)[number];

/** Why a revocation may be left out: a server that keeps one grant per account would end that of a user's link with it. */
export const leftOutReasons = ['account_linked', 'account_unknown'] as const;

/** One of these reasons. */
export type LeftOutReason = (typeof leftOutReasons)[number];

/** How a test link ended, without data of the account that logged in. */
export interface TestLinkResult {
  readonly passed: readonly TestStep[];
  /** The step that failed; null after a success. */
  readonly failed_at: TestStep | null;
  readonly reason: LinkFailureReason | null;
  readonly partner_code: PartnerErrorCode | null;
  /** Whether the partner gave a refresh token; null when no tokens were issued. */
  readonly refreshable: boolean | null;
  /** Lifetime of the access token that the partner sent, seconds; null when it sent none. */
  readonly expires_in_s: number | null;
  /** Why the revocation was left out; null when it was not, or when there was nothing to revoke. */
  readonly revocation_left_out: LeftOutReason | null;
  readonly exchanges: readonly ShownExchange[];
}
