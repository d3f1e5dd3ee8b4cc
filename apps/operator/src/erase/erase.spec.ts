import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';

const erasureId = '6f1c2a34-58d1-4c11-9f3e-2f0a8f5f7c10';

/** What the API answers, one after the other; the last answer stays. A text is a page of a proxy in front of it. */
interface Answer {
  readonly status: number;
  readonly body: object | string;
}

/** How a connection ends: before a response, or within its body. */
type Break = 'no response' | 'half a response';

const begun: Answer = { status: 202, body: erasure('running', null) };
const complete: Answer = { status: 200, body: erasure('complete', '2026-01-31T12:00:00Z') };

describe('erase user', () => {
  it('prints the id before it waits, on standard error with --json', async () => {
    const refused = failure(403, 'forbidden');
    const json = await erase(['--json'], begun, refused);
    expect(json).toMatchObject({ code: 1, out: '' });
    expect(json.err).toMatch(new RegExp(`^Erasure ${erasureId} has begun;.*\\nforbidden: `));
    const plain = await erase([], begun, refused);
    expect(plain.out).toContain(`erase status ${erasureId}`);
  });

  it.each<[string, Answer | Break]>([
    ['503 unavailable', failure(503, 'unavailable')],
    ['503 overloaded', failure(503, 'overloaded')],
    ['429 rate_limited', failure(429, 'rate_limited')],
    ['500 internal', failure(500, 'internal')],
    ['502 of a proxy', { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ['503 of a proxy', { status: 503, body: '<h1>Service Unavailable</h1>' }],
    ['504 of a proxy', { status: 504, body: '<h1>Gateway Timeout</h1>' }],
    ['a closed connection', 'no response'],
    ['a connection that breaks within a response', 'half a response'],
  ])('waits on after %s', async (_what, refused) => {
    const { code, out } = await erase(['--json'], begun, refused, complete);
    expect([code, out && JSON.parse(out)]).toEqual([0, expect.objectContaining({ state: 'complete' })]);
  });

  it.each([
    [0, 'No link of this user was found: check the id, unless the user never linked or was erased before.\n'],
    [1, ''],
  ])('says so when it has found nothing, as of a misspelt id: %i links', async (links, said) => {
    const found = { status: 200, body: { ...erasure('complete', '2026-01-31T12:00:00Z'), links } };
    expect(await erase([], begun, found)).toMatchObject({ code: 0, err: said });
  });

  it.each<[string, Answer]>([
    ['not_found', failure(404, 'not_found')],
    ['http_404', { status: 404, body: '<h1>Not Found</h1>' }],
  ])('ends with %s', async (code, refused) => {
    const ended = await erase(['--json'], begun, refused, complete);
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`\n${code}: `) as string });
  });
});

/** Runs the command against an API with the given answers. */
async function erase(args: readonly string[], ...answers: readonly (Answer | Break)[]) {
  let next = 0;
  const gateway = createServer((request, response) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    request.resume();
    if (answer === 'no response') return void response.destroy();
    if (answer === 'half a response')
      return void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
    const { status, body } = answer;
    const isPage = typeof body === 'string';
    response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
    response.end(isPage ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const seen = { out: '', err: '' };
  const code = await runPodium(['erase', 'user', '--user-id', 'user-17', '--yes', '--wait', '5', ...args], {
    env: { PODIUM_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, PODIUM_TOKEN: 't' },
    readStdin: async () => '',
    out: (text) => void (seen.out += text),
    err: (text) => void (seen.err += text),
  });
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
  return { code, ...seen };
}

function erasure(state: string, doneAt: string | null): object {
  return { erasure_id: erasureId, state, services: [{ service: 'linkage', done_at: doneAt }] };
}

function failure(status: number, code: string): Answer {
  return { status, body: { error: { code, message: 'not now' } } };
}
