import { ModeName } from '@podium/simulated-partner';
import { ModeExpectations, RefreshFate, faulty, harmless } from './expected';

const refused = (status: number, partnerCode?: string, fate: RefreshFate = 'later'): ModeExpectations =>
  faulty({ kind: 'rejected', words: `the partner refused, status ${status}`, partnerCode }, fate);

const down = (words: string, partnerCode?: string): ModeExpectations =>
  faulty({ kind: 'unavailable', words: `the partner is busy or broken, status ${words}`, partnerCode }, 'later');

const oddSuccess = (status: number): ModeExpectations =>
  faulty({ kind: 'malformed', words: `the status is neither 200 nor 4XX, status ${status}` }, 'lost');

/** An error with 200 differs by endpoint: each misses its own field. */
const errorWith200 = (words: string): ReturnType<typeof faulty> =>
  faulty({ kind: 'malformed', words: `${words}, status 200`, partnerCode: 'other' }, 'later');

const notJson = (fate: RefreshFate): ModeExpectations =>
  faulty({ kind: 'malformed', words: 'the body is not JSON, status 200' }, fate);

/**
 * Statuses and shapes: only `invalid_grant` in JSON ends a grant (RFC 6749 5.2), every other 4XX may come from a proxy.
 */
export const statusCases = {
  'error-with-200': {
    linking: errorWith200('access_token is not a token').linking,
    refreshing: errorWith200('access_token is not a token').refreshing,
    identifying: errorWith200('sub is missing, empty or not text').identifying,
    checking: errorWith200('sub is missing, empty or not text').checking,
  },
  'success-with-201': oddSuccess(201),
  'success-with-204': oddSuccess(204),
  'invalid-grant': refused(400, 'invalid_grant', 'ended'),
  'invalid-grant-401': refused(401, 'invalid_grant', 'ended'),
  'invalid-client': refused(401, 'invalid_client'),
  'invalid-request': refused(400, 'invalid_request'),
  'error-of-its-own': refused(400, 'other'),
  'error-absent': refused(400),
  'error-object': refused(400, 'other'),
  'error-number': refused(403, 'other'),
  'error-twice': refused(400),
  'error-hostile': refused(400, 'other'),
  'empty-400': refused(400),
  // The partner may have rotated the token before something in front of it put a page in place of its answer.
  'html-200': notJson('unknown'),
  'html-400': refused(400),
  'html-401': refused(401),
  'html-403': refused(403),
  'html-404': refused(404),
  'html-502': down('502'),
  'json-as-text': harmless,
  'truncated-json': notJson('lost'),
  'too-many-requests': down('429, retry after 120 s'),
  'too-many-requests-date': down('429, retry after 3600 s'),
  unavailable: down('503, retry after 7 s'),
  'internal-error': down('500', 'server_error'),
} as const satisfies Partial<Record<ModeName, ModeExpectations>>;
