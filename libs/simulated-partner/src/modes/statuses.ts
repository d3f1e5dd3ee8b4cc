import { bodyModes, insteadModes, jsonAnswer } from './answer-modes';
import { Answer, Mode, ModeTable } from './mode';

const at = ['exchange', 'refresh', 'user_info'] as const;
const instead = insteadModes('status_and_shape', at);
const body = bodyModes('status_and_shape', at);

const html = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>';

const htmlAnswer = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: html,
});

const emptyAnswer = (status: number, headers: Record<string, string> = {}): Answer => ({ status, headers, body: '' });

/** A success whose work is done and whose status is another one. */
const successWith = (status: number, summary: string): Mode & { kind: 'answer' } => ({
  ...{ kind: 'answer', group: 'status_and_shape', at, summary, takesEffect: true, delivery: { kind: 'whole' } },
  answer: (normal) => (normal.status === 200 ? { ...normal, status, body: status === 204 ? '' : normal.body } : normal),
});

/** A text that no page, header or log may show as it is. */
export const hostileText = `<script>alert(1)</script>\r\nx-injected: yes ${'x'.repeat(10_000)}`;

/** Statuses and shapes of answers, of the partner itself and of what stands in front of it. */
export const statuses = {
  'error-with-200': instead('a JSON error with status 200', jsonAnswer({ error: 'no_luck' })),
  'success-with-201': successWith(201, 'a success with status 201'),
  'success-with-204': successWith(204, 'a success with status 204 and no body'),
  'invalid-grant': instead('400 invalid_grant', jsonAnswer({ error: 'invalid_grant' }, 400)),
  'invalid-grant-401': instead('401 invalid_grant', jsonAnswer({ error: 'invalid_grant' }, 401)),
  'invalid-client': instead('401 invalid_client', jsonAnswer({ error: 'invalid_client' }, 401)),
  'invalid-request': instead('400 invalid_request', jsonAnswer({ error: 'invalid_request' }, 400)),
  'error-of-its-own': instead('400 with an error code of its own', jsonAnswer({ error: 'kein_zutritt' }, 400)),
  'error-absent': instead('400 with an empty object', jsonAnswer({}, 400)),
  'error-object': instead('400 with an object as error', jsonAnswer({ error: { code: 'invalid_grant' } }, 400)),
  'error-number': instead('403 with a number as error', jsonAnswer({ error: 5 }, 403)),
  'error-twice': instead('400 with error twice', {
    ...jsonAnswer({}, 400),
    body: '{"error":"invalid_grant","error":"invalid_grant"}',
  }),
  'error-hostile': instead('400 with script, line breaks and 10 KB as error', jsonAnswer({ error: hostileText }, 400)),
  'empty-400': instead('an empty 400', emptyAnswer(400)),
  'html-200': instead('an HTML page with status 200', htmlAnswer(200)),
  'html-400': instead('an HTML page with status 400', htmlAnswer(400)),
  'html-401': instead("an HTML page with status 401 and a proxy's challenge", {
    ...htmlAnswer(401, { 'www-authenticate': 'Basic realm="proxy"' }),
  }),
  'html-403': instead('an HTML page of a firewall with status 403', htmlAnswer(403)),
  'html-404': instead('an HTML page with status 404', htmlAnswer(404)),
  'html-502': instead('an HTML page with status 502', htmlAnswer(502)),
  'json-as-text': body('JSON as text/plain', (json) => json, { 'content-type': 'text/plain' }),
  'truncated-json': body('JSON without its last brace', (json) => json.slice(0, -1)),
  'too-many-requests': instead('429 with Retry-After in seconds', emptyAnswer(429, { 'retry-after': '120' })),
  'too-many-requests-date': instead(
    '429 with Retry-After as a date, far in the future',
    emptyAnswer(429, { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }),
  ),
  unavailable: instead('503 with Retry-After', emptyAnswer(503, { 'retry-after': '7' })),
  'internal-error': instead('500 with a JSON error', jsonAnswer({ error: 'server_error' }, 500)),
} as const satisfies ModeTable;
