import { bodyModes, fieldModes } from './answer-modes';
import { ModeTable } from './mode';

const at = ['exchange', 'refresh'] as const;
const fields = fieldModes('token_body', at);
const body = bodyModes('token_body', at);

/** Puts text between the first brace of an object and its first field. */
const withFirst =
  (text: string) =>
  (json: string): string =>
    json.replace('{', `{${text},`);

/** Successful token responses: those that the specification allows, and those that it does not. */
export const tokenBodies = {
  'as-specified': fields('access_token and refresh_token alone, as the specification has it', {}),
  'token-type-bearer': fields('token_type BEARER, in upper case', { token_type: 'BEARER' }),
  'token-type-odd': fields('token_type mac', { token_type: 'mac' }),
  'token-type-number': fields('token_type is a number', { token_type: 1 }),
  'expires-in-number': fields('expires_in is a number', { expires_in: 600 }),
  'expires-in-digits': fields('expires_in is digits as text', { expires_in: '600' }),
  'expires-in-text': fields('expires_in is other text', { expires_in: 'soon' }),
  'expires-in-null': fields('expires_in is null', { expires_in: null }),
  'expires-in-negative': fields('expires_in is negative', { expires_in: -5 }),
  'expires-in-zero': fields('expires_in is zero', { expires_in: 0 }),
  'expires-in-small': fields('expires_in is 1', { expires_in: 1 }),
  'expires-in-float': fields('expires_in has a fraction', { expires_in: 3.5 }),
  'expires-in-huge': fields('expires_in is 1e15', { expires_in: 1e15 }),
  'access-token-absent': fields('access_token is absent', { access_token: undefined }),
  'access-token-empty': fields('access_token is empty', { access_token: '' }),
  'access-token-blank': fields('access_token is blank', { access_token: '  ' }),
  'access-token-number': fields('access_token is a number', { access_token: 7 }),
  'access-token-64-kb': fields('access_token has 64,000 characters', { access_token: 'a'.repeat(64_000) }),
  'access-token-control-characters': fields('access_token has a line break', { access_token: 'a\r\nx: y' }),
  'access-token-not-ascii': fields('access_token has a letter beyond ASCII', { access_token: 'tøken' }),
  'refresh-token-absent': fields('refresh_token is absent', { refresh_token: undefined }),
  'refresh-token-null': fields('refresh_token is null', { refresh_token: null }),
  'refresh-token-empty': fields('refresh_token is empty', { refresh_token: '' }),
  'refresh-token-number': fields('refresh_token is a number', { refresh_token: 9 }),
  'scope-array': fields('scope is a list', { scope: ['profile', 'read'] }),
  'duplicate-keys': body('access_token twice', withFirst('"access_token":"other"')),
  'duplicate-keys-escaped': body('access_token twice, once with an escape', withFirst('"acc\\u0065ss_token":"other"')),
  'byte-order-mark': body('a byte order mark before the JSON', (json) => `\ufeff${json}`),
  'deep-nesting': body('a list nested nine deep', withFirst(`"x":${'['.repeat(9)}${']'.repeat(9)}`)),
  'deeper-nesting': body('a list nested 20,000 deep', withFirst(`"x":${'['.repeat(20_000)}${']'.repeat(20_000)}`)),
  'top-level-array': body('a list around the object', (json) => `[${json}]`),
  'top-level-null': body('null', () => 'null'),
  'proto-key': body('the tokens inside of __proto__', (json) => `{"__proto__":${json}}`),
  'proto-key-beside': body('__proto__ beside the tokens', withFirst('"__proto__":{"access_token":"other"}')),
  'latin-1': body('Latin-1 bytes with their charset', (json) => Buffer.from(withFirst('"name":"é"')(json), 'latin1'), {
    'content-type': 'application/json; charset=ISO-8859-1',
  }),
  'unpaired-surrogate': body('half of a surrogate pair in a string', withFirst('"x":"\\ud800"')),
} as const satisfies ModeTable;
