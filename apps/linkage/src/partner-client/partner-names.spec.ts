import { mkdtempSync, writeFileSync } from 'node:fs';
import { FileHandle, open } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describe('names of partners', () => {
  const names = new NameServer();
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  let resolve: PartnerNames['resolve'];

  beforeAll(() => names.start());
  afterAll(() => names.stop());
  beforeEach(() => {
    names.reset();
    resolve = new PartnerNames([names.address], new HostsFile(join(folder, 'none'))).resolve;
  });

  it('give all their addresses', async () => {
    names.answers('partner.example.com', ['203.0.114.1', '203.0.114.2', '2606:4700::1']);
    expect(await resolve('partner.example.com')).toEqual([
      { address: '203.0.114.1', family: 4 },
      { address: '203.0.114.2', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    names.answers('six.example.com', ['2606:4700::1']);
    expect(await resolve('six.example.com')).toEqual([{ address: '2606:4700::1', family: 6 }]);
  });

  it('come from the hosts file first, as everywhere on this machine', async () => {
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

  it('that are unknown or never answered for are no fault of ours, and nothing was sent', async () => {
    const http = new PartnerHttp(none, resolve);
    const gone = { kind: 'unavailable', outcomeUnknown: false, reason: expect.stringContaining('ENAME') };
    expect(await http.send(request)).toMatchObject(gone);
    names.isSilentFor('partner.example.com');
    expect(await http.send(request)).toMatchObject(gone);
    await http.stop();
  });

  it('of a partner whose name servers are silent hold up nobody', async () => {
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

  it('need no thread, of which there are four for everything', async () => {
    names.answers('well.example.com', ['203.0.114.1']);
    // A pipe without a writer holds the thread that opens it.
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

    it('are refused when they lead to a special address, alone or among public ones', async () => {
      const http = new PartnerHttp(none, resolve);
      names.answers('partner.example.com', ['127.0.0.1']);
      expect(await http.send(request)).toMatchObject(refused);
      names.answers('partner.example.com', ['203.0.114.1', 'fd00::1']);
      expect(await http.send(request)).toMatchObject(refused);
      await http.stop();
    });

    it('are asked for once: the socket gets just the addresses that were checked', async () => {
      names.answers('partner.example.com', ['203.0.114.1'], ['127.0.0.1']);
      const lookup = checkedLookup(resolve);
      const ask = (): Promise<unknown> =>
        new Promise((done) => lookup('partner.example.com', { all: true }, (...given) => done(given)));
      expect(await ask()).toEqual([null, [{ address: '203.0.114.1', family: 4 }]]);
      expect(names.asked).toEqual(['A partner.example.com', 'AAAA partner.example.com']);
      expect(await ask()).toEqual([expect.objectContaining({ code: 'ESPECIALADDRESS' }), '', 0]);
    });

    it('cannot be got round by an address without a name', async () => {
      const http = new PartnerHttp(none, resolve);
      for (const url of ['https://127.0.0.1/', 'https://partner.example.com\\@127.0.0.1/'])
        expect(await http.send({ ...request, url })).toMatchObject(refused);
      await http.stop();
      expect(names.asked).toEqual([]);
    });
  });
});
