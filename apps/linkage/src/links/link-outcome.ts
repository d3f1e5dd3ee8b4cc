import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';

/** Why linking failed; each reason has a sentence for users. */
export type LinkFailureReason =
  | 'request_unusable'
  | 'not_recognised'
  | 'expired'
  | 'session_changed'
  | 'issuer_mismatch'
  | 'partner_said_no'
  | 'partner_refused'
  | 'partner_malformed'
  | 'partner_unavailable'
  | 'partner_moved'
  | 'integration_paused'
  | 'linked_elsewhere'
  | 'other_account_linked'
  | 'erased'
  | 'unfinished';

/** How a callback ended. */
export type LinkOutcome =
  | {
      readonly kind: 'linked';
      readonly integrationId: string;
      readonly displayName: string;
      readonly nickname: string;
      /** Whether every part of the service has the link (specification, Flow rules 2). */
      readonly ready: boolean;
      readonly returnTo: string | null;
    }
  /** A test link of an operator that goes on after its page. */
  | { readonly kind: 'testing'; readonly displayName: string }
  /** A test link of an operator, of which nothing is stored. */
  | {
      readonly kind: 'tested';
      readonly displayName: string;
      readonly isSuccess: boolean;
      /** Null after a success. */
      readonly reason: LinkFailureReason | null;
      readonly partnerCode: PartnerErrorCode | null;
    }
  | {
      readonly kind: 'failed';
      readonly reason: LinkFailureReason;
      /** Null when the integration itself is unknown. */
      readonly displayName: string | null;
      /** The partner's error code, if a standard defines it. */
      readonly partnerCode: PartnerErrorCode | null;
      readonly returnTo: string | null;
    };
