import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';

const erasureId = '6f1c2a34-58d1-4c11-9f3e-2f0a8f5f7c10';

/** What the API answers, one after the other; the last answer stays. */
interface Answer {
  readonly status: number;
  readonly body: object;
}

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

  it.each([
    [503, 'unavailable'],
    [429, 'rate_limited'],
    [502, 'unreachable'],
  ])('waits on after %i %s', async (status, code) => {
    const { code: ended, out } = await erase(['--json'], begun, failure(status, code), complete);
    expect([ended, JSON.parse(out)]).toEqual([0, expect.objectContaining({ state: 'complete' })]);
  });
});

/** Runs the command against an API with the given answers. */
async function erase(args: readonly string[], ...answers: readonly Answer[]) {
  let next = 0;
  const gateway = createServer((request, response) => {
    const { status, body } = answers[Math.min(next++, answers.length - 1)];
    request.resume();
    if (status === 502) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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
