/** Why linking did not come about; each has its sentence for users. */
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
  | 'integration_paused'
  | 'linked_elsewhere'
  | 'other_account_linked'
  | 'erased';

/** How a callback ended. */
export type LinkOutcome =
  | {
      readonly kind: 'linked';
      readonly integrationId: string;
      readonly displayName: string;
      readonly nickname: string;
      /** Whether every part of the service knows already (specification, Flow rules 2). */
      readonly ready: boolean;
      readonly returnTo: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly reason: LinkFailureReason;
      /** Null when the integration itself is unknown. */
      readonly displayName: string | null;
      /** The partner's own code, printable; escape before showing. */
      readonly partnerCode: string | null;
      readonly returnTo: string | null;
    };
