import { Refusal, refusalOf } from '../http/refusal';

/** Why a caller is refused. */
export interface CallerRefused {
  readonly ok: false;
  readonly refusal: Refusal;
}

/** Refusals of callers with any kind of key. */
export const callerRefusals = {
  noKey: { ok: false, refusal: refusalOf('unauthorized', { challenge: 'Bearer realm="podium"' }) },
  badKey: {
    ok: false,
    refusal: refusalOf('unauthorized', { challenge: 'Bearer realm="podium", error="invalid_token"' }),
  },
  otherEnvironment: { ok: false, refusal: refusalOf('environment_mismatch') },
} as const satisfies Record<string, CallerRefused>;

/** The credential of `Bearer <credential>`, null for any other scheme; the scheme's case does not matter (RFC 9110, section 11.1). */
export function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > 512) return null;
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(7).trim();
}
