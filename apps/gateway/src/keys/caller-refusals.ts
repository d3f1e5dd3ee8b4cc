import { Refusal, refusalOf } from '../routes/refusal';

/** Why a caller is not let in. */
export interface CallerRefused {
  readonly ok: false;
  readonly refusal: Refusal;
}

/** What callers with any kind of key are told. */
export const callerRefusals = {
  noKey: { ok: false, refusal: refusalOf('unauthorized', { challenge: 'Bearer realm="podium"' }) },
  badKey: {
    ok: false,
    refusal: refusalOf('unauthorized', { challenge: 'Bearer realm="podium", error="invalid_token"' }),
  },
  otherEnvironment: { ok: false, refusal: refusalOf('environment_mismatch') },
} as const satisfies Record<string, CallerRefused>;

/** The credential of `Bearer <credential>`, null for any other; the scheme's case does not matter (RFC 9110, section 11.1). */
export function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > 512) return null;
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(7).trim();
}
