import { dataErrorBody, errorBody } from '@podium/messages';
import { Expectation, SeenAnswer, faultsOf } from './response-checks';
import { MemoryLevel } from './memory';
import { growthOf } from './processes';
import { Tally } from './tally';

const json = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' };
const expected: Expectation = {
  shape: 'plain',
  statuses: new Set([200, 400, 404]),
  request: 'GET /',
  secrets: ['hush'],
};

function refusal(status: number, body: unknown, headers: SeenAnswer['headers'] = json): SeenAnswer {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

describe('faultsOf', () => {
  it('finds no problem in a correct response', () => {
    expect(faultsOf({ status: 200, headers: json, body: '{}' }, expected)).toEqual([]);
    expect(faultsOf(refusal(404, errorBody('not_found')), expected)).toEqual([]);
    expect(faultsOf(refusal(400, errorBody('invalid_request', 'm', 'later')), expected)).toEqual([]);
    expect(faultsOf(refusal(404, dataErrorBody('not_found')), { ...expected, shape: 'data' })).toEqual([]);
    expect(
      faultsOf(refusal(404, '<p>', { ...json, 'content-type': 'text/html' }), { ...expected, shape: 'page' }),
    ).toEqual([]);
    expect(faultsOf(refusal(404, '', json), { ...expected, isHead: true })).toEqual([]);
  });

  it.each<[string, SeenAnswer, string]>([
    ['a failure', refusal(500, errorBody('internal_error')), '500 for a client error'],
    ['an undocumented status', refusal(413, errorBody('payload_too_large')), 'not among the documented'],
    ['another shape', refusal(400, { error: 'no' }), 'another shape'],
    ['an additional field', refusal(400, { ...errorBody('invalid_request'), at: 1 }), 'another shape'],
    [
      'a code that the catalogue lacks',
      refusal(400, { error: { code: 'oops', message: 'm', retry: 'never' } }),
      'unknown code',
    ],
    [
      'the retry class of another code',
      refusal(400, { error: { code: 'invalid_request', message: 'm', retry: 'now' } }),
      'another retry class',
    ],
    ['no retry class', refusal(400, { error: { code: 'invalid_request', message: 'm' } }), 'another shape'],
    ['a code of another status', refusal(400, errorBody('not_found')), 'which is 404'],
    ['an empty message', refusal(400, errorBody('invalid_request', '')), 'without a message'],
    ['no JSON', refusal(400, 'Bad Request'), 'not JSON'],
    ['another media type', refusal(400, 'x', { ...json, 'content-type': 'text/plain' }), 'as text/plain'],
    ['no request id', refusal(404, errorBody('not_found'), { 'content-type': 'application/json' }), 'x-request-id'],
    ['a stack', refusal(400, errorBody('invalid_request', 'Error\n    at run (/srv/dist/main.js:1:2)')), 'a stack'],
    ['SQL', refusal(400, errorBody('invalid_request', 'select a from b')), 'SQL'],
    ['a secret', refusal(400, errorBody('invalid_request', 'the token hush')), 'a secret'],
  ])('finds %s', (_name, answer, fault) => {
    expect(faultsOf(answer, expected).join('; ')).toContain(fault);
  });

  it('does not report text of the request itself as a leak', () => {
    const answer = refusal(400, errorBody('invalid_request', 'no "select a from b"'));
    expect(faultsOf(answer, { ...expected, request: 'GET /?q=select a from b' })).toEqual([]);
  });
});

describe('Tally', () => {
  it('counts by kind and status class, and reports the same problem of the same place once', () => {
    const tally = new Tally();
    expect(tally.hasSucceeded('json', 'sendUserEvent')).toBe(false);
    tally.count('json', 200, 'sendUserEvent');
    expect(tally.hasSucceeded('json', 'sendUserEvent')).toBe(true);
    for (const status of [204, 304, 404, 429, 500, null]) tally.count('json', status);
    for (const request of ['a', 'b']) tally.find('json', 'sendUserEvent', '500', { request, answer: 'x' });
    expect(tally.requests()).toBe(7);
    expect(tally.limited(['json'])).toBe(1);
    expect(tally.findings).toMatchObject([{ request: 'a', times: 2 }]);
    expect(tally.table().split('\n')[1].trim().split(/ +/)).toEqual(['json', '7', '2', '1', '1', '1', '1', '1', '1']);
  });
});

describe('growthOf', () => {
  const levels = (...heaps: number[]): MemoryLevel[] => heaps.map((heapMiB) => ({ heapMiB, residentMiB: 200 }));

  it.each([
    ['one round', levels(500), 0],
    ['flat', levels(60, 70, 62), 0],
    ['a leak', levels(60, 90, 120), 1],
    ['more of much', levels(400, 460), 0],
    ['unknown at the end', levels(60, NaN), 1],
    ['unknown at the beginning', levels(NaN, 60), 1],
  ])('%s', (_name, heaps, found) => {
    expect(growthOf('gateway-1', heaps, 'heapMiB')).toHaveLength(found);
    expect(growthOf('gateway-1', heaps, 'residentMiB')).toEqual([]);
  });
});
