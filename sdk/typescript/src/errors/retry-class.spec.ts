import { ErrorRow, errorCatalogue } from '@podium/messages';
import { errorCodes } from '../generated/error-codes';
import { errorOf } from './podium-error';
import { RetryClass, defaultRetryAfterMs, retryClassOf } from './retry-class';

describe('the retry class of an answer', () => {
  it.each<[number, string, RetryClass]>([
    [400, 'invalid_request', 'never'],
    [401, 'unauthorized', 'pause'],
    [403, 'environment_mismatch', 'pause'],
    [403, 'integration_paused', 'pause'],
    [403, 'platform_mismatch', 'pause'],
    [404, 'user_not_linked', 'later'],
    [404, 'not_found', 'pause'],
    [408, 'request_timeout', 'now'],
    [413, 'payload_too_large', 'never'],
    [415, 'unsupported_media_type', 'never'],
    [422, 'event_not_negotiated', 'later'],
    [429, 'rate_limited', 'now'],
    [500, 'internal_error', 'now'],
    [503, 'unavailable', 'now'],
    [503, 'overloaded', 'now'],
  ])('%i %s is %s', (status, code, retry) => {
    expect(retryClassOf({ status, code })).toBe(retry);
    expect(errorOf(retry, { code, status, message: 'm' })).toMatchObject({
      retry,
      retryable: retry === 'now' || retry === 'later',
    });
  });

  it('is that of the catalogue for every code, with its Retry-After', () => {
    const rows = Object.entries<ErrorRow>(errorCatalogue);
    expect(rows.length).toBe(Object.keys(errorCodes).length);
    for (const [code, { status, retry, retryAfterS }] of rows) {
      expect([code, retryClassOf({ status, code })]).toEqual([code, retry]);
      expect(defaultRetryAfterMs(code)).toBe(retryAfterS === undefined ? undefined : retryAfterS * 1000);
    }
  });

  it('is the one that the answer names, which may be newer than the SDK', () => {
    expect(retryClassOf({ status: 400, code: 'invalid_request', retry: 'later' })).toBe('later');
    expect(retryClassOf({ status: 400, code: 'invalid_request', retry: 'someday' })).toBe('never');
  });

  it.each<[number, RetryClass]>([
    [400, 'never'],
    [413, 'never'],
    [415, 'never'],
    [401, 'pause'],
    [403, 'pause'],
    [451, 'pause'],
    [404, 'later'],
    [422, 'later'],
    [429, 'now'],
    [503, 'now'],
    [507, 'now'],
  ])('follows the status %i of a code that the SDK does not know: %s', (status, retry) => {
    for (const code of ['brand_new', 'constructor']) expect(retryClassOf({ status, code })).toBe(retry);
  });

  it.each<[number, RetryClass]>([
    [200, 'now'],
    [302, 'pause'],
    [400, 'now'],
    [401, 'pause'],
    [403, 'pause'],
    [404, 'pause'],
    [407, 'pause'],
    [413, 'now'],
    [429, 'now'],
    [502, 'now'],
  ])('never gives an event up for an answer of a proxy: %i is %s', (status, retry) => {
    expect(retryClassOf({ status })).toBe(retry);
  });
});
