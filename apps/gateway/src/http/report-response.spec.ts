import { IncomingMessage } from 'node:http';
import { createKey } from '@podium/messages';
import { EdgeContext } from './exchange';
import { reportResponse } from './report-response';

/** The path in the log line of a request with this target. */
function loggedPath(url: string): string {
  const lines: { path: string }[] = [];
  const context = {
    metrics: { request: () => undefined },
    logger: { info: (fields: { path: string }) => lines.push(fields) },
  } as unknown as EdgeContext;
  const request = { url, method: 'GET', headers: {} } as IncomingMessage;
  reportResponse(context, { request, requestId: 'r', startedMs: 0 }, 'connect', 404);
  return lines[0].path;
}

it.each([
  ['a query', '/connect?code=secret', '/connect'],
  ['what is beyond 200 characters', `/${'a'.repeat(300)}`, `/${'a'.repeat(199)}`],
])('the log of a request has no %s', (_what, url, path) => expect(loggedPath(url)).toBe(path));

it.each(['ev', 'dt'] as const)(
  'the log of a request has the id of an %s key in its path, and not its secret',
  (kind) => {
    const { key, keyId } = createKey('test', kind);
    const secret = key.slice(key.lastIndexOf('_') + 1);
    for (const before of ['', 'x'.repeat(100), 'x'.repeat(150)]) {
      const path = loggedPath(`/connect/${before}${key}/x`);
      for (let at = 0; at + 8 <= secret.length; at++) expect(path).not.toContain(secret.slice(at, at + 8));
    }
    expect(loggedPath(`/connect/${key}/x`)).toBe(`/connect/podium_test_${kind}_${keyId}_(redacted)/x`);
  },
);
