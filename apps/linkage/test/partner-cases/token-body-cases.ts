import { ModeName } from '@podium/simulated-partner';
import { ModeExpectations, connected, faulty, harmless } from './expected';

/** A response that says that it succeeded and cannot be used: what the partner rotated for it is lost. */
const unusable = (reason: string): ModeExpectations =>
  faulty({ kind: 'malformed', words: `${reason}, status 200` }, 'lost');

/** Without a refresh token the user must log in again when the access token ends, and operators see that. */
const withoutRefreshToken: ModeExpectations = {
  linking: { ...connected, operators: ['the link has no refresh token'] },
  refreshing: harmless.refreshing,
};

const noAccessToken = unusable('access_token is not a token');

/** Token bodies: each is read as the specification and RFC 6749 have it, or refused as a whole. */
export const tokenBodyCases = {
  'as-specified': harmless,
  'token-type-bearer': harmless,
  'token-type-odd': unusable('token_type is not Bearer'),
  'token-type-number': unusable('token_type is not Bearer'),
  'expires-in-number': harmless,
  'expires-in-digits': harmless,
  'expires-in-text': harmless,
  'expires-in-null': harmless,
  'expires-in-negative': harmless,
  'expires-in-zero': harmless,
  'expires-in-small': harmless,
  'expires-in-float': harmless,
  'expires-in-huge': harmless,
  'access-token-absent': noAccessToken,
  'access-token-empty': noAccessToken,
  'access-token-blank': noAccessToken,
  'access-token-number': noAccessToken,
  'access-token-64-kb': noAccessToken,
  'access-token-control-characters': noAccessToken,
  'access-token-not-ascii': noAccessToken,
  'refresh-token-absent': withoutRefreshToken,
  'refresh-token-null': withoutRefreshToken,
  'refresh-token-empty': withoutRefreshToken,
  'refresh-token-number': unusable('refresh_token is not a token'),
  'scope-array': harmless,
  'duplicate-keys': unusable('the body has a duplicate key'),
  'duplicate-keys-escaped': unusable('the body has a duplicate key'),
  'byte-order-mark': unusable('the body is not JSON'),
  'deep-nesting': unusable('the body is nested deeper than 8'),
  'deeper-nesting': unusable('the body is nested deeper than 8'),
  'top-level-array': unusable('the body is not a JSON object'),
  'top-level-null': unusable('the body is not a JSON object'),
  'proto-key': noAccessToken,
  'proto-key-beside': harmless,
  'latin-1': unusable('the body is not UTF-8'),
  'unpaired-surrogate': unusable('a string of the body has an unpaired surrogate or NUL'),
} as const satisfies Partial<Record<ModeName, ModeExpectations>>;
