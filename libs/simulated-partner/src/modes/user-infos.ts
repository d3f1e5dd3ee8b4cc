import { bodyModes, fieldModes, insteadModes, jsonAnswer } from './answer-modes';
import { ModeTable } from './mode';

const at = ['user_info'] as const;
const fields = fieldModes('user_info', at);
const body = bodyModes('user_info', at);
const instead = insteadModes('user_info', at);

/** User info responses; what a token body may get wrong as JSON is not repeated here. */
export const userInfos = {
  'sub-absent': fields('sub is absent', { sub: undefined }),
  'sub-empty': fields('sub is empty', { sub: '' }),
  'sub-blank': fields('sub is blank', { sub: ' \t ' }),
  'sub-number': fields('sub is a number', { sub: 12 }),
  'sub-10-kb': fields('sub has 10,000 characters', { sub: 'a'.repeat(10_000) }),
  'sub-256-bytes': fields('sub has 128 characters in 256 bytes', { sub: 'é'.repeat(128) }),
  'sub-nul': fields('sub has a NUL', { sub: 'a\0b' }),
  'sub-spaces': body('sub has spaces inside and at its ends', (json) => json.replace('"sub":"', '"sub":" a ')),
  'sub-changes': body('sub is that of another account', (json) => json.replace('"sub":"', '"sub":"other-')),
  'nickname-absent': fields('nickname is absent', { nickname: undefined }),
  'nickname-null': fields('nickname is null', { nickname: null }),
  'nickname-number': fields('nickname is a number', { nickname: 4 }),
  'nickname-emoji': fields('nickname has joined emoji', { nickname: '👩\u200d💻 pro' }),
  'nickname-right-to-left': fields('nickname has direction marks', { nickname: '\u202eevil\u202c שלום' }),
  'nickname-html': fields('nickname is HTML', { nickname: '<b onclick="alert(1)">x</b>' }),
  'invalid-token': instead('401 invalid_token as JSON', jsonAnswer({ error: 'invalid_token' }, 401)),
  'invalid-token-challenge': instead('401 invalid_token in WWW-Authenticate (RFC 6750)', {
    ...{ status: 401, headers: { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' }, body: '' },
  }),
  'insufficient-scope': instead('403 insufficient_scope', jsonAnswer({ error: 'insufficient_scope' }, 403)),
} as const satisfies ModeTable;
