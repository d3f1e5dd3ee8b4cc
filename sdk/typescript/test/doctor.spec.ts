import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import { CertificateAuthority, Certificate } from '@podium/simulated-partner/http/certificates';
import { EdgeAnswer, EdgeRequest, ScriptedEdge, refusal, runCommand } from './scripted-edge';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const program = path.join(__dirname, '../src/command-line/main.ts');
const env = { PODIUM_EVENT_KEY: 'canary-key' };
const headers = { 'ratelimit-limit': '40, 40;w=1' };
const inForce = { version: 3, in_force_from: '2026-01-01T00:00:00.000Z', events: [] };
const contract = {
  ...{ platform: 'acme', rate_per_second: 40, burst: 40, max_batch: 40 },
  ...{ in_force: inForce as object | null, upcoming: [] },
};
const secondsFromNow = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

interface Shown {
  readonly check: string;
  readonly result: string;
  readonly message: string;
  readonly fix?: string;
}

/** The answers of Podium to a partner for whom all is well. */
function well({ path: asked }: EdgeRequest): EdgeAnswer {
  if (asked === '/cdp/v1/contract') return { status: 200, headers, body: contract };
  if (asked === '/cdp/v1/refusals') return { status: 200, headers, body: { items: [], next_cursor: null } };
  return { status: 200, headers, body: { problems: [] } };
}

/** `well`, with another answer to one path. */
function but(asked: string, answer: EdgeAnswer): ScriptedEdge['answer'] {
  return (request) => (request.path === asked ? answer : well(request));
}

describe('podium-partner doctor', () => {
  const edge = new ScriptedEdge();
  let url: string;
  let config: string;

  beforeAll(async () => {
    url = await edge.listen();
  });
  afterAll(() => edge.close());
  beforeEach(() => {
    edge.answer = well;
    edge.requests.length = 0;
    config = path.join(folderOf(), 'podium-partner.json');
    fs.writeFileSync(config, JSON.stringify({ url, platform: 'acme', key: { env: 'PODIUM_EVENT_KEY' } }));
  });

  async function doctor(...args: string[]): Promise<{ code: number; findings: Shown[] }> {
    const { code, out, err } = await runCommand(['doctor', '--json', '--config', config, ...args], { env });
    expect(out + err).not.toContain('canary-key');
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Shown[] };
    expect(ok).toBe(code === 0);
    for (const { result, fix } of findings)
      expect(fix !== undefined).toBe(result === 'warning' || result === 'problem');
    return { code, findings };
  }

  it('finds nothing when all is well, and sends no event', async () => {
    const { code, findings } = await doctor();
    expect(code).toBe(0);
    expect(findings.map(({ check, result }) => `${check} ${result}`)).toEqual([
      ...[
        'address ok',
        'network ok',
        'certificate skipped',
        'key ok',
        'sending ok',
        'clock ok',
        'rate ok',
        'contract ok',
      ],
      'refusals ok',
    ]);
    expect(edge.requests.map((request) => request.path)).toEqual([
      ...['/cdp/v1/contract', '/cdp/v1/users/events/validate', '/cdp/v1/refusals'],
    ]);
    expect((await runCommand(['doctor', '--help'])).out).toContain('Three of its questions count against your rate.');
    const { out } = await runCommand(['doctor', '--config', config], { env });
    expect(out).toContain('✓ key         It belongs to the platform acme.\n');
  });

  const contractPath = '/cdp/v1/contract';
  const recent = { code: 'user_not_linked', last_at: new Date().toISOString() };
  it.each<[string, () => ScriptedEdge['answer'], number, Partial<Shown>]>([
    [
      'a wrong key',
      () => but(contractPath, { status: 401, body: refusal('unauthorized', 'pause') }),
      1,
      { check: 'key', result: 'problem', fix: expect.stringContaining('test and production') as string },
    ],
    [
      'a key that cannot read',
      () => but(contractPath, { status: 403, body: refusal('forbidden', 'pause') }),
      0,
      { check: 'key', result: 'warning', fix: expect.stringContaining('events:read') as string },
    ],
    [
      'a key that cannot send',
      () => but('/cdp/v1/users/events/validate', { status: 403, body: refusal('forbidden', 'pause') }),
      1,
      { check: 'sending', result: 'problem', message: expect.stringContaining('events:send') as string },
    ],
    [
      'a redirect',
      () => but(contractPath, { status: 301, headers: { location: 'https://new.example/' }, body: {} }),
      1,
      { check: 'key', result: 'problem', message: expect.stringContaining('https://new.example/') as string },
    ],
    [
      'the page of a proxy',
      () => but(contractPath, { status: 200, body: '<html>' }),
      1,
      { check: 'key', result: 'problem', fix: expect.stringContaining('something else than Podium') as string },
    ],
    [
      'an outage',
      () => but(contractPath, { status: 503, body: refusal('unavailable', 'now') }),
      1,
      { check: 'key', result: 'problem', fix: expect.stringContaining('again in a minute') as string },
    ],
    [
      'the key of another platform',
      () => but(contractPath, { status: 200, headers, body: { ...contract, platform: 'other' } }),
      1,
      { check: 'key', result: 'problem', message: expect.stringContaining('acme') as string },
    ],
    [
      'a clock that is ahead',
      () => but(contractPath, { status: 200, headers: { ...headers, date: secondsFromNow(-400) }, body: contract }),
      1,
      { check: 'clock', result: 'problem', message: expect.stringContaining('ahead of') as string },
    ],
    [
      'a clock that is behind',
      () => but(contractPath, { status: 200, headers: { ...headers, date: secondsFromNow(400) }, body: contract }),
      0,
      { check: 'clock', result: 'warning', message: expect.stringContaining('behind') as string },
    ],
    [
      'a proxy that removes headers',
      () => (request) => ({ ...well(request), headers: {} }),
      0,
      { check: 'rate', result: 'warning', fix: expect.stringContaining('proxy') as string },
    ],
    [
      'a contract that is not in force',
      () => but(contractPath, { status: 200, headers, body: { ...contract, in_force: null } }),
      1,
      { check: 'contract', result: 'problem', message: expect.stringContaining('every event is refused') as string },
    ],
    [
      'refused events',
      () => but('/cdp/v1/refusals', { status: 200, headers, body: { items: [recent, recent], next_cursor: null } }),
      0,
      { check: 'refusals', result: 'warning', message: expect.stringContaining('2 (user_not_linked)') as string },
    ],
  ])('names %s', async (_fault, answer, code, finding) => {
    edge.answer = answer();
    const found = await doctor();
    expect(found.code).toBe(code);
    expect(found.findings).toContainEqual(expect.objectContaining(finding));
    expect(found.findings.filter(({ result }) => result === 'problem' || result === 'warning')).toHaveLength(1);
  });

  it('compares types with the contract in force', async () => {
    const types = path.join(path.dirname(config), 'events.ts');
    const given = {
      url,
      platform: 'acme',
      key: { env: 'PODIUM_EVENT_KEY' },
      types: ['events.ts', 'events.py', 'none'],
    };
    fs.writeFileSync(config, JSON.stringify(given));
    fs.writeFileSync(types, 'export const contractVersion = 2;\n');
    fs.writeFileSync(path.join(path.dirname(config), 'events.py'), 'CONTRACT_VERSION = 3\n');
    const { findings } = await doctor();
    expect(findings.filter(({ check }) => check === 'types')).toMatchObject([
      { result: 'warning', fix: expect.stringContaining(`podium-partner types --out`) },
      { result: 'ok' },
      { result: 'warning', message: expect.stringContaining('cannot be read') },
    ]);
  });

  it.each([
    ['an unknown host', 'https://host.invalid', 'address', /is not known/],
    ['a closed port', 'http://127.0.0.1:1', 'network', /ECONNREFUSED/],
  ])('names %s', async (_fault, address, check, message) => {
    const { code, findings } = await doctor('--url', address);
    expect(code).toBe(1);
    expect(findings.at(-1)).toMatchObject({ check, result: 'problem', message: expect.stringMatching(message) });
  });

  it('names a server without TLS', async () => {
    const { findings } = await doctor('--url', url.replace('http:', 'https:'));
    expect(findings.at(-1)).toMatchObject({ check: 'certificate', result: 'problem' });
    expect(edge.requests).toEqual([]);
  });

  it('needs an address and a key', async () => {
    expect(await runCommand(['doctor', '--url', url], {})).toMatchObject({ code: 2 });
  });

  describe('with a certificate', () => {
    const authority = new CertificateAuthority();
    let caFile: string;

    beforeAll(() => {
      caFile = path.join(folderOf(), 'ca.pem');
      fs.writeFileSync(caFile, authority.cert);
    });
    afterAll(() => authority.remove());

    /** Runs the command in a process that trusts the authority. */
    async function certificateOf(certificate: Certificate): Promise<Shown | undefined> {
      const server = https.createServer(certificate, (request, response) => {
        const { status, headers: own, body } = well({ path: request.url ?? '', body: '' });
        response.writeHead(status, own).end(JSON.stringify(body));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const args = ['-r', '@swc-node/register', program, 'doctor', '--json', '--url', address];
      const out = await new Promise<string>((resolve) =>
        execFile(
          process.execPath,
          args,
          { env: { ...process.env, ...env, NODE_EXTRA_CA_CERTS: caFile } },
          (_error, stdout) => resolve(stdout),
        ),
      );
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return (JSON.parse(out) as { findings: Shown[] }).findings.find(({ check }) => check === 'certificate');
    }

    it.each<[string, () => Certificate, object]>([
      ['is valid', () => authority.issue({ altName: 'IP:127.0.0.1', days: 30 }), { result: 'ok' }],
      ['ends soon', () => authority.issue({ altName: 'IP:127.0.0.1', days: 3 }), { result: 'warning' }],
      [
        'has ended',
        () => authority.issue({ altName: 'IP:127.0.0.1', days: -1 }),
        {
          result: 'problem',
          message: expect.stringContaining('CERT_HAS_EXPIRED'),
          fix: expect.stringContaining('clock'),
        },
      ],
      [
        'is of another host',
        () => authority.issue({ altName: 'DNS:other.example', days: 30 }),
        {
          result: 'problem',
          message: expect.stringContaining('ALTNAME'),
          fix: expect.stringContaining('another host'),
        },
      ],
      [
        'is of an unknown authority',
        () => authority.selfSigned({ altName: 'IP:127.0.0.1', days: 30 }),
        { result: 'problem', fix: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
      ],
    ])(
      'that %s',
      async (_state, certificate, finding) => {
        expect(await certificateOf(certificate())).toMatchObject(finding);
      },
      30_000,
    );
  });
});
