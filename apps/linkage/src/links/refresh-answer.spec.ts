import { failure } from '@podium/partner-check/protocol/partner-result';
import { RawResponse, readTokenResponse } from '@podium/partner-check/protocol/partner-answers';
import { RefreshAnswer, classifyRefresh, isLostInTransit } from './refresh-answer';

type Row = [
  name: string,
  response: { status?: number; body?: string; challenge?: string },
  kind: RefreshAnswer['kind'],
];

const tokens = '{"access_token":"at","refresh_token":"rt"}';
const html = '<html><body>invalid_grant</body></html>';

/** Every status and shape of a token response, and what it says about the refresh token that was sent. */
const rows: Row[] = [
  ['tokens', { body: tokens }, 'refreshed'],
  ['an access token alone', { body: '{"access_token":"at"}' }, 'refreshed'],
  ['invalid_grant', { status: 400, body: '{"error":"invalid_grant"}' }, 'ended'],
  [
    'invalid_grant with a description',
    { status: 400, body: '{"error":"invalid_grant","error_description":"x"}' },
    'ended',
  ],
  ['invalid_grant with 401', { status: 401, body: '{"error":"invalid_grant"}' }, 'ended'],
  ['invalid_grant with 403', { status: 403, body: '{"error":"invalid_grant"}' }, 'unused'],
  ['invalid_grant with 404', { status: 404, body: '{"error":"invalid_grant"}' }, 'unused'],
  ['invalid_grant with 200', { body: '{"error":"invalid_grant"}' }, 'unused'],
  ['invalid_grant with 503', { status: 503, body: '{"error":"invalid_grant"}' }, 'lost'],
  ['invalid_grant in a list', { status: 400, body: '["invalid_grant"]' }, 'unused'],
  ['invalid_grant in an object', { status: 400, body: '{"error":{"code":"invalid_grant"}}' }, 'unused'],
  ['invalid_grant as text', { status: 400, body: 'invalid_grant' }, 'unused'],
  ['invalid_grant in broken JSON', { status: 400, body: '{"error":"invalid_grant"' }, 'unused'],
  ['invalid_grant twice', { status: 400, body: '{"error":"invalid_grant","error":"invalid_grant"}' }, 'unused'],
  ['invalid_grant in upper case', { status: 400, body: '{"error":"INVALID_GRANT"}' }, 'unused'],
  ['another standard code', { status: 400, body: '{"error":"invalid_request"}' }, 'unused'],
  ['a code of its own', { status: 400, body: '{"error":"token_expired"}' }, 'unused'],
  ['an error that is a number', { status: 400, body: '{"error":7}' }, 'unused'],
  ['an error that is null', { status: 400, body: '{"error":null}' }, 'unused'],
  ['400 of a proxy', { status: 400, body: html }, 'unused'],
  ['an empty 400', { status: 400, body: '' }, 'unused'],
  ['401 of a proxy', { status: 401, body: html, challenge: 'Basic realm="proxy"' }, 'unused'],
  [
    'invalid_grant with a challenge for access tokens',
    { status: 401, body: '{"error":"invalid_grant"}', challenge: 'Bearer error="invalid_token"' },
    'ended',
  ],
  ['invalid_token in the challenge', { status: 401, body: '', challenge: 'Bearer error="invalid_token"' }, 'unused'],
  ['invalid_client', { status: 401, body: '{"error":"invalid_client"}' }, 'unused'],
  ['403 of a firewall', { status: 403, body: html }, 'unused'],
  ['404 of a router', { status: 404, body: html }, 'unused'],
  ['too many requests', { status: 429, body: '' }, 'unused'],
  ['a redirect', { status: 302, body: '' }, 'unused'],
  ['500', { status: 500, body: '' }, 'lost'],
  ['502 of a proxy', { status: 502, body: html }, 'lost'],
  ['503', { status: 503, body: '' }, 'lost'],
  ['a success in HTML', { body: html }, 'lost'],
  ['a success without a body', { body: '' }, 'lost'],
  ['201 with tokens', { status: 201, body: tokens }, 'lost'],
  ['204', { status: 204, body: '' }, 'lost'],
  ['tokens cut off', { body: tokens.slice(0, -10) }, 'lost'],
  ['tokens without an access token', { body: '{"refresh_token":"rt"}' }, 'lost'],
  ['tokens of another type', { body: '{"access_token":"at","refresh_token":"rt","token_type":"mac"}' }, 'lost'],
];

const classified = ({ status = 200, body = '', challenge }: Row[1]): RefreshAnswer => {
  const response: RawResponse = { status, body: Buffer.from(body), challenge, retryAfter: undefined };
  return classifyRefresh(readTokenResponse(response));
};

describe('a refresh token after its response', () => {
  it.each(rows)('%s', (_name, response, kind) => {
    expect(classified(response).kind).toBe(kind);
  });

  it('is ended by two of all these responses', () => {
    const ended = rows.filter(([, response]) => classified(response).kind === 'ended');
    expect(new Set(ended.map(([, { status, body }]) => `${status} ${JSON.parse(body ?? '').error}`))).toEqual(
      new Set(['400 invalid_grant', '401 invalid_grant']),
    );
  });

  it.each([
    ['no response', failure('unavailable', 'deadline', { outcomeUnknown: true }), 'lost'],
    ['nothing sent', failure('unavailable', 'refused', { outcomeUnknown: false }), 'unused'],
    ['an open circuit breaker', failure('unavailable', 'open'), 'unused'],
    ['a response that is not HTTP', failure('malformed', 'not HTTP', { outcomeUnknown: true }), 'lost'],
    ['a success that is too large', failure('malformed', 'too large', { status: 200 }), 'lost'],
    ['an error page that is too large', failure('malformed', 'too large', { status: 400 }), 'unused'],
    ['a forbidden address', failure('address_refused', 'private'), 'unused'],
  ])('%s', (_name, result, kind) => {
    expect(classifyRefresh(result).kind).toBe(kind);
  });

  it('is sent again at once only if no readable answer arrived', () => {
    const isSentAgain = (response: Row[1]): boolean => isLostInTransit(classified(response));
    expect(isLostInTransit(classifyRefresh(failure('unavailable', 'deadline', { outcomeUnknown: true })))).toBe(true);
    expect(isSentAgain({ body: tokens.slice(0, -10) })).toBe(true);
    expect(isSentAgain({ status: 503 })).toBe(false);
    expect(isSentAgain({ status: 400, body: html })).toBe(false);
    expect(isSentAgain({ body: tokens })).toBe(false);
  });
});
