import { ModeName } from '@podium/simulated-partner';
import { ModeExpectations, Expected, failedFlow, kept, needsLogin } from './expected';

const lost = (code: string): { refreshing: Expected } => ({
  refreshing: {
    ...kept,
    code: 'grant_state_unknown',
    operators: [`refresh unavailable: no response from the partner (${code})`],
  },
});

const tokenRefused = 'user_info rejected: the partner refused, status 401, invalid_token';

/** Rules for refresh tokens: linkage works with each of them without a setting. */
export const refreshCases = {
  rotating: { refreshing: kept },
  'reuse-ends-grant': { refreshing: kept },
  'grace-period': { refreshing: kept },
  'not-rotating': { refreshing: kept },
  'same-refresh-token': { refreshing: kept },
  'same-access-token': { refreshing: kept },
  'refresh-expired': {
    refreshing: needsLogin('grant_ended', 'refresh rejected: the partner refused, status 400, invalid_grant'),
  },
  'answer-lost-after-rotation': lost('ECONNRESET'),
  'answer-cut-after-rotation': lost('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
  'answer-late-after-rotation': lost('deadline'),
  // A token that was just refreshed is refused too: the fault is the partner's, and no reason to end the link.
  'invalid-token-loop': {
    identifying: failedFlow('partner_refused', 'invalid_token', [tokenRefused]),
    checking: { ...kept, operators: [tokenRefused] },
  },
} as const satisfies Partial<Record<ModeName, ModeExpectations>>;
