import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';

const taskId = '0190a6f0-0000-7000-8000-000000000002';

describe('what the command line shows', () => {
  let server: Server;
  let answer: object;
  let asked: string | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked = request.url;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const award = {
    ...{ user_id: 'bob', occurrence: 'g1:every:1', award_id: 'award-1' },
    reward: { type: 'money', amount: '5', currency: 'EUR' },
    evidence: { values: { goal: '2' }, events: [{ id: 'bob-1' }] },
  };

  it('of a task has the evidence of awards, which is all that explains an instant that is not exact', async () => {
    answer = {
      ...{ exact: false, not_exact_because: 'condensed', holds: null, comparisons: [], occurrences: [] },
      awards: [{ ...award, state: 'confirmed' }],
    };
    const out = await shown('tasks', 'explain', taskId, '--user', 'bob', '--at', '2026-01-01T00:00:00Z');
    expect(out).toMatch(/VALUES +EVENTS\ng1:every:1 +confirmed +money 5 EUR +award-1 +- +\{"goal":"2"\} +bob-1/);
  });

  // The bonus engine has confirmed that it took the award back: the newest entry says confirmed.
  const entries = [
    { seq: 1, kind: 'issued', answers_seq: null },
    { seq: 2, kind: 'reversed', answers_seq: null },
    { seq: 3, kind: 'confirmed', answers_seq: 2 },
  ];

  it.each([
    ['tasks awards', /\nbob +g1:every:1 +reversed +money 5 EUR +award-1 /],
    ['awards list', /\naward-1 .* money 5 EUR +reversed +-\n/],
  ])('of awards has what they pay, and what they are now: %s', async (command, row) => {
    answer = { items: [{ ...award, state: 'reversed', entries }], next_cursor: null };
    const args = command === 'tasks awards' ? [...command.split(' '), taskId] : command.split(' ');
    expect(await shown(...args)).toMatch(row);
  });

  it('of the audit trail of a task has all that it says of a change', async () => {
    const details = {
      ...{ version: 2, name: 'A bonus for each deposit of the weekend', day: '2026-11-20' },
      ...{ awards: 1_200, max_per_day: 300 },
    };
    const entry = { at: '2026-11-20T12:00:00.000Z', operator_id: 'engine', action: 'task.paused', details };
    answer = { items: [entry], next_cursor: null };
    expect(await shown('tasks', 'audit', taskId)).toContain(`task.paused  ${JSON.stringify(details)}\n`);
  });

  it('of the audit trail of keys and integrations has all that it says of a change', async () => {
    const detail = { reason: 'a key was found in the log of a build server of the partner, whose name is Acme' };
    const entry = { at: '2026-11-20T12:00:00.000Z', actor: 'op-1', action: 'key.revoked', subject: 'key:k' };
    answer = { items: [{ ...entry, organizer_id: 'acme-prizes', detail }], next_cursor: null };
    const out = await shown(
      'audit',
      'list',
      '--organizer',
      'acme-prizes',
      '--subject',
      'key:k',
      '--action',
      'key.revoked',
    );
    expect(out).toContain(`key:k    acme-prizes   ${JSON.stringify(detail)}\n`);
    const query = 'organizer_id=acme-prizes&subject=key%3Ak&action=key.revoked';
    expect(asked).toBe(`/admin/v1/audit?limit=100&${query}`);
  });

  it('of a user has the link, the segments and the stored events', async () => {
    answer = { platform: 'acme', user_id: 'a/b', memberships: [{ segment_id: taskId, member: true }], awards: 3 };
    expect(await shown('users', 'show', 'acme', 'a/b')).toMatch(/memberships\n +- \{"segment_id":.*\nawards +3\n/);
    expect(asked).toBe('/admin/v1/users/acme/a%2Fb');
  });

  async function shown(...args: string[]): Promise<string> {
    let out = '';
    const code = await runPodium(args, {
      env: { PODIUM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PODIUM_TOKEN: 'token' },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: () => undefined,
    });
    expect(code).toBe(0);
    return out;
  }
});
