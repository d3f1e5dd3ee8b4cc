import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { recordBatch } from '@podium/testing/record-batch';
import { scanRecord } from './scan-record';

const secret = `s%cret+${randomBytes(24).toString('base64')}/"=`;
/** Its base64 and base64url differ by the padding alone, which is what stands at the end of a text. */
const key = Buffer.from('vault key of 32 bytes, in ASCII.');
const filler = (bytes: number): string => randomBytes(bytes).toString('latin1').replaceAll('\n', ' ');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('the scan of a run', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'podium-scan-'));
    const seen = [
      { kind: 'client secret', value: secret },
      { kind: 'vault key', value: key.toString('base64') },
      { kind: 'refresh token', value: randomBytes(24).toString('base64url') },
    ];
    write('12-secrets.ndjson', seen.map((each) => `${JSON.stringify(each)}\n`).join(''));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function write(name: string, content: string | Buffer): void {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  }

  const found = async () =>
    (await scanRecord(folder)).findings.map(({ kind, encoding, file, offset }) => ({ kind, encoding, file, offset }));

  it.each([
    ['plain', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded', percent(secret)],
    ['percent-encoded', percent(secret).toUpperCase()],
    ['JSON', JSON.stringify(secret)],
    ['hex', Buffer.from(secret).toString('hex')],
    ['hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ...['', 'a', 'ab'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((encoding): [string, string] => [
        'base64',
        Buffer.from(`${before}${secret} and more`).toString(encoding),
      ]),
    ),
  ])('finds a secret as %s: %s', async (encoding, written) => {
    write('34-log.txt', `${filler(500)}${written}${filler(100)}`);
    const [finding, ...others] = await found();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      kind: 'client secret',
      encoding: expect.stringContaining(encoding),
      file: '34-log.txt',
    });
    expect(Math.abs(finding.offset - 500)).toBeLessThan(8);
  });

  it.each(['hex', 'base64', 'base64url', 'latin1'] as const)('finds the bytes of a key as %s', async (encoding) => {
    write('34-log.txt', `${filler(50)}${key.toString(encoding)}${filler(9)}`);
    expect(await found()).toEqual([expect.objectContaining({ kind: 'vault key' })]);
  });

  it('shows what stands around a secret, and not the secret', async () => {
    write('34-pages.txt', `GET /connect 400\n<p>${secret}</p>`);
    const [{ context }] = (await scanRecord(folder)).findings;
    expect(context).toBe('GET /connect 400 <p>«client secret»</p>');
  });

  it('finds secrets at the borders of what it reads at once, each time', async () => {
    const chunk = 64 * 1024;
    const text = Buffer.alloc(2 * chunk + 100, 'x');
    for (const at of [0, chunk - 10, chunk + 200, 2 * chunk - secret.length, 2 * chunk]) text.write(secret, at);
    write('34-log.txt', text);
    expect((await scanRecord(folder, chunk)).findings.map(({ offset }) => offset)).toEqual([
      0,
      chunk - 10,
      chunk + 200,
      2 * chunk - secret.length,
      2 * chunk,
    ]);
  });

  it('reads compressed batches of topics, dead letters and segments that compaction has replaced', async () => {
    const batch = (value: string): Buffer => recordBatch([{ value }], { codec: 1, compress: gzipSync });
    const harmless = batch('nothing');
    const name = 'stack-test/kafka-1/linkage.links.v1.dlq-0/00000000000000000000.log.deleted';
    write(name, Buffer.concat([harmless, batch(`{"token":${JSON.stringify(secret)}}`), Buffer.alloc(200)]));
    expect(await found()).toEqual([{ kind: 'client secret', encoding: 'JSON', file: name, offset: harmless.length }]);
  });

  it('takes the secrets that a stack has generated', async () => {
    write(
      'stack-test/secrets.json',
      JSON.stringify({ rolePasswords: { linkage: 'pass-w0rd-of-linkage' }, vaultKeys: `k1:${key.toString('hex')}` }),
    );
    write(
      'stack-test/logs/linkage-1.log',
      `postgres://podium_linkage:pass-w0rd-of-linkage@db ${key.toString('base64url')}`,
    );
    expect((await found()).map(({ kind }) => kind)).toEqual([...['secret of the stack', expect.any(String)]]);
  });

  it('is silent about digests, other values and the files of secrets', async () => {
    write('34-log.txt', `${randomUUID()} ${secret.slice(0, 10)} ${randomBytes(5000).toString('base64')}`);
    expect(await scanRecord(folder)).toMatchObject({ secrets: 3, findings: [] });
  });
});
