import { ModeName } from '@podium/simulated-partner';
import { ModeExpectations, connected, failedFlow, sentences } from './expected';

const returns = (reason: keyof typeof sentences, partnerCode?: string): ModeExpectations => ({
  returning: failedFlow(reason, partnerCode),
});

/** The partner's redirect: nothing that it says is shown as it is, and no code is sent anywhere without its own state. */
export const redirectCases = {
  'error-without-state': returns('partner_said_no', 'access_denied'),
  'error-with-state': returns('partner_said_no', 'access_denied'),
  'error-of-the-partner': returns('partner_said_no', 'other'),
  'error-text-hostile': returns('partner_said_no', 'other'),
  'error-description-hostile': returns('partner_said_no', 'access_denied'),
  'code-and-error': returns('request_unusable'),
  'code-absent': returns('request_unusable'),
  'nothing-returned': returns('request_unusable'),
  'state-absent': returns('request_unusable'),
  'state-unknown': returns('not_recognised'),
  'state-twice': returns('request_unusable'),
  'code-twice': returns('request_unusable'),
  'code-unknown': {
    returning: failedFlow('partner_refused', 'invalid_grant', [
      'exchange rejected: the partner refused, status 400, invalid_grant',
    ]),
  },
  'code-too-long': returns('request_unusable'),
  'iss-right': { returning: connected },
  'iss-wrong': returns('issuer_mismatch'),
  'error-iss-right': returns('partner_said_no', 'access_denied'),
  'error-iss-wrong': returns('issuer_mismatch'),
} as const satisfies Partial<Record<ModeName, ModeExpectations>>;
