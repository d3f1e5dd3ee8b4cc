import { mkdtempSync, writeFileSync } from 'node:fs';
import { FileHandle, open } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { NameServer } from '../../test/name-server';
import { checkedLookup } from './checked-lookup';
import { HostsFile } from './hosts-file';
import { PartnerHttp } from './partner-http';
import { PartnerNames } from './partner-names';

const none = new Set<string>();
const request = {
  platform: 'p',
  method: 'GET',
  url: 'https://partner.example.com/',
  headers: {},
  timeoutMs: 10_000,
} as const;

describe('PartnerNames', () => {
  const names = new NameServer();
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  let resolve: PartnerNames['resolve'];

  beforeAll(() => names.start());
  afterAll(() => names.stop());
  beforeEach(() => {
    names.reset();
    resolve = new PartnerNames([names.address], new HostsFile(join(folder, 'none'))).resolve;
  });

  it('resolves a name to all its addresses', async () => {
    names.answers('partner.example.com', ['203.0.114.1', '203.0.114.2', '2606:4700::1']);
    expect(await resolve('partner.example.com')).toEqual([
      { address: '203.0.114.1', family: 4 },
      { address: '203.0.114.2', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    names.answers('six.example.com', ['2606:4700::1']);
    expect(await resolve('six.example.com')).toEqual([{ address: '2606:4700::1', family: 6 }]);
  });

  it('reads the hosts file first, as the system does', async () => {
    const file = join(folder, 'hosts');
    writeFileSync(
      file,
      '# local\n127.0.0.1 localhost\n203.0.114.9\tPartner.Example.com other # an alias\n::1 localhost\n',
    );
    const { resolve } = new PartnerNames([names.address], new HostsFile(file));
    expect(await resolve('partner.example.com')).toEqual([{ address: '203.0.114.9', family: 4 }]);
    expect((await resolve('localhost')).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    expect(names.asked).toEqual([]);
  });

  it('reports an unknown or unanswered name as unavailable, with nothing sent', async () => {
    const http = new PartnerHttp(none, resolve);
    const gone = { kind: 'unavailable', outcomeUnknown: false, reason: expect.stringContaining('ENAME') };
    expect(await http.send(request)).toMatchObject(gone);
    names.isSilentFor('partner.example.com');
    expect(await http.send(request)).toMatchObject(gone);
    await http.stop();
  });

  it('waits only briefly for IPv6 addresses of a name that has IPv4 ones', async () => {
    names.answers('partner.example.com', ['203.0.114.1', '2606:4700::1']);
    names.isSilentFor('partner.example.com', 'AAAA');
    const startedMs = performance.now();
    expect(await resolve('partner.example.com')).toEqual([{ address: '203.0.114.1', family: 4 }]);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  it('asks again for the only addresses of a name, and for IPv4 ones, when a question is lost', async () => {
    names.answers('six.example.com', ['2606:4700::1']);
    names.isSilentFor('six.example.com', 'AAAA', 1);
    names.answers('partner.example.com', ['203.0.114.1', '2606:4700::1']);
    names.isSilentFor('partner.example.com', 'A', 1);
    const [six, both] = await Promise.all([resolve('six.example.com'), resolve('partner.example.com')]);
    expect(six).toEqual([{ address: '2606:4700::1', family: 6 }]);
    expect(both).toEqual([
      { address: '203.0.114.1', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  it('does not delay other names while the name servers of one partner are silent', async () => {
    names.answers('well.example.com', ['203.0.114.1']);
    for (let i = 0; i < 32; i++) names.isSilentFor(`hangs-${i}.example.com`);
    let ended = 0;
    const hanging = Array.from({ length: 32 }, (_, i) =>
      resolve(`hangs-${i}.example.com`).then(
        () => ended++,
        () => ended++,
      ),
    );
    await expect(resolve('well.example.com')).resolves.toHaveLength(1);
    expect(ended).toBe(0);
    await Promise.all(hanging);
  });

  it('uses none of the four libuv threads', async () => {
    names.answers('well.example.com', ['203.0.114.1']);
    // Opening a pipe without a writer blocks the thread.
    const pipes = Array.from({ length: 4 }, (_, i) => join(folder, `pipe-${i}`));
    execFileSync('mkfifo', pipes);
    const held: Promise<FileHandle>[] = pipes.map((pipe) => open(pipe, 'r'));
    const other = checkedLookup(new PartnerNames([names.address]).resolve);
    const found = await new Promise((done) => other('well.example.com', { all: true }, (...given) => done(given)));
    expect(found).toEqual([null, [{ address: '203.0.114.1', family: 4 }]]);
    execFileSync('sh', ['-c', pipes.map((pipe) => `: > ${pipe}`).join('; ')]);
    for (const handle of await Promise.all(held)) await handle.close();
  });

  describe('at connect', () => {
    const refused = { ok: false, kind: 'address_refused' };

    it('refuses a name that resolves to a special address, alone or among public ones', async () => {
      const http = new PartnerHttp(none, resolve);
      names.answers('partner.example.com', ['127.0.0.1']);
      expect(await http.send(request)).toMatchObject(refused);
      names.answers('partner.example.com', ['203.0.114.1', 'fd00::1']);
      expect(await http.send(request)).toMatchObject(refused);
      await http.stop();
    });

    it('resolves a name once: the socket gets only the checked addresses', async () => {
      names.answers('partner.example.com', ['203.0.114.1'], ['127.0.0.1']);
      const lookup = checkedLookup(resolve);
      const ask = (): Promise<unknown> =>
        new Promise((done) => lookup('partner.example.com', { all: true }, (...given) => done(given)));
      expect(await ask()).toEqual([null, [{ address: '203.0.114.1', family: 4 }]]);
      expect(names.asked).toEqual(['A partner.example.com', 'AAAA partner.example.com']);
      expect(await ask()).toEqual([expect.objectContaining({ code: 'ESPECIALADDRESS' }), '', 0]);
    });

    it('leaves each address of a name the time to answer although a packet is lost, before the next takes its place', async () => {
      const http = new PartnerHttp(none, resolve);
      // Takes the place of a connection that waits for its answer.
      const connect = jest.spyOn(tls, 'connect').mockImplementation(() => new tls.TLSSocket(new net.Socket()));
      expect(await http.send({ ...request, timeoutMs: 50 })).toMatchObject({
        kind: 'unavailable',
        outcomeUnknown: false,
      });
      const [[options]] = connect.mock.calls as unknown as [[net.TcpSocketConnectOpts]];
      expect(options.autoSelectFamilyAttemptTimeout).toBeGreaterThan(1_000);
      connect.mockRestore();
      await http.stop();
    });

    it('refuses a special address in the URL itself', async () => {
      const http = new PartnerHttp(none, resolve);
      for (const url of ['https://127.0.0.1/', 'https://partner.example.com\\@127.0.0.1/'])
        expect(await http.send({ ...request, url })).toMatchObject(refused);
      await http.stop();
      expect(names.asked).toEqual([]);
    });
  });
});
