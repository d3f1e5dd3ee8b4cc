import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolders } from '@podium/testing';
import { ConfigError, describeConfig, readConfig } from './config';
import { address, brokers, integer, keyRing, list, oneOf, text, tokens } from './fields';
import { live } from './live-secret';

const scratchFolder = scratchFolders();
const fields = {
  NAME: text({ meaning: 'a name' }),
  MODE: oneOf(['a', 'b'], { meaning: 'a mode', default: 'a' }),
  WAIT_MS: integer({ min: 1, max: 10 }, { meaning: 'a wait', unit: 'ms', default: '5' }),
  URL: address(['http', 'https'], { meaning: 'an address', default: 'http://x/' }),
  HOSTS: list({ meaning: 'hosts', default: '' }),
  KEYS: keyRing({ meaning: 'keys', default: `k1:${Buffer.alloc(32).toString('base64')}` }),
  SECRET: text({ meaning: 'a secret', secret: true, default: 'hush' }),
} as const;

describe('readConfig', () => {
  it('returns typed values with defaults', () => {
    const config = readConfig(fields, { NAME: 'n', HOSTS: 'a, b,' });
    expect(config).toMatchObject({ NAME: 'n', MODE: 'a', WAIT_MS: 5, URL: 'http://x', HOSTS: ['a', 'b'] });
    expect(config.KEYS[0]).toEqual({ id: 'k1', key: Buffer.alloc(32) });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every missing or malformed field at once', () => {
    const read = (): unknown => readConfig(fields, { MODE: 'c', WAIT_MS: '11', URL: 'ftp://x', KEYS: 'k:short' });
    expect(read).toThrow(ConfigError);
    for (const name of ['NAME', 'MODE', 'WAIT_MS', 'URL', 'KEYS']) expect(read).toThrow(name);
  });

  it.each(['5.0', '+5', '0x5', ' 5', '5e0', '-1', ''])('refuses %p as a whole number unless empty', (value) => {
    const read = (): unknown => readConfig(fields, { NAME: 'n', WAIT_MS: value });
    if (value === '') expect(read()).toMatchObject({ WAIT_MS: 5 });
    else expect(read).toThrow('WAIT_MS');
  });

  it.each([
    ['HTTPS://Podium.Example:443/a/../b/', 'https://podium.example/b'],
    ['http://127.1:7400', 'http://127.0.0.1:7400'],
  ])('gives the address %s back as it was parsed', (value, parsed) => {
    expect(readConfig(fields, { NAME: 'n', URL: value }).URL).toBe(parsed);
  });

  it.each([
    'https://podium.example\\@127.0.0.1',
    'https:\\\\podium.example',
    'https:podium.example',
    'https://user:pass@podium.example',
    'https://@podium.example',
    'https://podium.example/#a',
    'https://podium.example/?a=b',
    ' https://podium.example',
    'https://podium.exa\tmple',
  ])('refuses the address %j', (value) => {
    expect(() => readConfig(fields, { NAME: 'n', URL: value })).toThrow('URL must');
  });

  it.each([
    'redis://:canary%@redis',
    'redis://us%er:canary@redis',
    'postgres://user:canary%zz@postgres/podium',
    'postgres://user:canary%e4b@postgres/podium',
    'postgres://user:canary@postgres/po%dium',
  ])('refuses the server address %s with its name, and does not show it', (value) => {
    const server = { SERVER_URL: live(address(['redis', 'postgres'], { meaning: 'a server' })) };
    const read = (text: string): unknown => readConfig(server, { SERVER_URL: text }).SERVER_URL.current;
    expect(() => read(value)).toThrow('SERVER_URL must have a % in its user, password and database written as %25');
    expect(() => read(value)).not.toThrow('canary');
    const written = 'postgres://us%25er:p%2Fw@postgres/podium?sslmode=verify-full';
    expect(read(written)).toBe(written);
  });

  it.each(['a.b', '', 'x'.repeat(65)])('refuses the key id %p', (id) => {
    const pair = `${id}:${Buffer.alloc(32).toString('base64')}`;
    expect(() => readConfig(fields, { NAME: 'n', KEYS: pair })).toThrow('KEYS');
  });

  it.each(['kafka', 'a:9092,b', 'a:0', 'a:65536', 'a:port', 'http://a:9092', '[::1]:9092', 'a :9092', ',', ''])(
    'refuses the brokers %j, which the client would try for ever',
    (value) => {
      const read = (): unknown => readConfig({ BROKERS: brokers({ meaning: 'brokers' }) }, { BROKERS: value });
      expect(read).toThrow('BROKERS');
    },
  );

  it('gives brokers back without blanks and empty ones', () => {
    const { BROKERS } = readConfig(
      { BROKERS: brokers({ meaning: 'brokers' }) },
      { BROKERS: 'a:9092, kafka.svc:9093,' },
    );
    expect(BROKERS).toEqual(['a:9092', 'kafka.svc:9093']);
  });

  it('refuses a key id twice', () => {
    const pair = `k1:${Buffer.alloc(32).toString('base64')}`;
    expect(() => readConfig(fields, { NAME: 'n', KEYS: `${pair},${pair}` })).toThrow('twice');
  });

  it.each(['a,,b', ' ', 'a b', 'a,b,c,d,e', 'a,\u0000'])('refuses %p as tokens', (value) => {
    expect(() => readConfig({ TOKEN: tokens({ meaning: 'tokens' }) }, { TOKEN: value })).toThrow('TOKEN');
  });

  it('reads a secret from a file and never shows it', () => {
    const file = join(scratchFolder(), 'secret');
    writeFileSync(file, 'canary-secret\n');
    const config = readConfig(fields, { NAME: 'n', SECRET_FILE: file });
    expect(config.SECRET).toBe('canary-secret');
    expect(JSON.stringify(describeConfig(fields, config))).not.toContain('canary');
  });
});

describe('a live secret', () => {
  const declared = { TOKEN: live(tokens({ meaning: 'tokens' })) };

  it('applies the current content of its file, and keeps its value while the file is unusable', async () => {
    const file = join(scratchFolder(), 'TOKEN');
    writeFileSync(file, 'old\n');
    const { TOKEN } = readConfig(declared, { TOKEN_FILE: file });
    let changes = 0;
    TOKEN.onChange(() => changes++);
    expect([await TOKEN.reload(), TOKEN.current]).toEqual([false, ['old']]);
    writeFileSync(file, 'new,old\n');
    expect([await TOKEN.reload(), TOKEN.current]).toEqual([true, ['new', 'old']]);
    for (const useless of ['', 'canary secret'])
      await expect((writeFileSync(file, useless), TOKEN.reload())).rejects.not.toThrow('canary');
    rmSync(file);
    await expect(TOKEN.reload()).rejects.toThrow('ENOENT');
    expect([TOKEN.current, changes]).toEqual([['new', 'old'], 1]);
    expect(JSON.stringify(describeConfig(declared, { TOKEN }))).not.toContain('old');
  });

  it('follows symbolic links to replaced folders, as Kubernetes mounts have them', async () => {
    const folder = scratchFolder();
    for (const [name, value] of [
      ['v1', 'old'],
      ['v2', 'new'],
    ]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'TOKEN'), value);
    }
    symlinkSync('v1', join(folder, '..data'));
    symlinkSync('..data/TOKEN', join(folder, 'TOKEN'));
    const { TOKEN } = readConfig(declared, { TOKEN_FILE: join(folder, 'TOKEN') });
    symlinkSync('v2', join(folder, '..next'));
    renameSync(join(folder, '..next'), join(folder, '..data'));
    expect([await TOKEN.reload(), TOKEN.current]).toEqual([true, ['new']]);
  });

  it('from the environment does not change', async () => {
    const { TOKEN } = readConfig(declared, { TOKEN: 'only' });
    expect([await TOKEN.reload(), TOKEN.current]).toEqual([false, ['only']]);
  });
});
