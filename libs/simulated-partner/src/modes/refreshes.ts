import { deliveryModes, insteadModes, jsonAnswer } from './answer-modes';
import { GrantPolicy, Mode, ModeTable } from './mode';

const lost = deliveryModes('refresh', ['refresh']);

/** How a partner treats refresh tokens unless a mode says otherwise: each works once. */
export const rotating: GrantPolicy = {
  ...{ refreshToken: 'new', accessToken: 'new', reuse: 'refused', graceS: 0, expired: false },
};

const grants = (summary: string, change: Partial<GrantPolicy>): Extract<Mode, { kind: 'grants' }> => ({
  ...{ kind: 'grants', group: 'refresh', at: ['refresh'], summary, policy: { ...rotating, ...change } },
});

/** Rules for refresh tokens, and answers to refreshes that are lost after they took effect. */
export const refreshes = {
  rotating: grants('each refresh token works once', {}),
  'reuse-ends-grant': grants('a refresh token that is sent again ends its grant', { reuse: 'ends_grant' }),
  'grace-period': grants('a refresh token works again for 60 s, with the same answer', {
    ...{ graceS: 60, reuse: 'ends_grant' },
  }),
  'not-rotating': grants('refresh tokens stay valid, answers have none', { refreshToken: 'absent' }),
  'same-refresh-token': grants('refresh tokens stay valid, answers repeat them', { refreshToken: 'same' }),
  'same-access-token': grants('answers to refreshes repeat the access token', { accessToken: 'same' }),
  'refresh-expired': grants('every refresh token has expired', { expired: true }),
  'answer-lost-after-rotation': lost('the token is rotated, the connection reset', { kind: 'reset' }),
  'answer-cut-after-rotation': lost('the token is rotated, the answer cut off', { kind: 'cut', announced: true }),
  'answer-late-after-rotation': lost('the token is rotated, no answer comes', { kind: 'nothing' }),
  'invalid-token-loop': insteadModes('refresh', ['user_info'])(
    'user info refuses every access token, also a fresh one, as invalid_token',
    jsonAnswer({ error: 'invalid_token' }, 401),
  ),
} as const satisfies ModeTable;
