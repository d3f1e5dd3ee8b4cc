import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, describeConfig, readConfig } from './config';
import { address, integer, keyRing, list, oneOf, text } from './fields';

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
  it('gives typed values with defaults', () => {
    const config = readConfig(fields, { NAME: 'n', HOSTS: 'a, b,' });
    expect(config).toMatchObject({ NAME: 'n', MODE: 'a', WAIT_MS: 5, URL: 'http://x', HOSTS: ['a', 'b'] });
    expect(config.KEYS[0]).toEqual({ id: 'k1', key: Buffer.alloc(32) });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('names every missing or malformed field at once', () => {
    const read = (): unknown => readConfig(fields, { MODE: 'c', WAIT_MS: '11', URL: 'ftp://x', KEYS: 'k:short' });
    expect(read).toThrow(ConfigError);
    for (const name of ['NAME', 'MODE', 'WAIT_MS', 'URL', 'KEYS']) expect(read).toThrow(name);
  });

  it.each(['5.0', '+5', '0x5', ' 5', '5e0', '-1', ''])('refuses %p as a whole number unless empty', (value) => {
    const read = (): unknown => readConfig(fields, { NAME: 'n', WAIT_MS: value });
    if (value === '') expect(read()).toMatchObject({ WAIT_MS: 5 });
    else expect(read).toThrow('WAIT_MS');
  });

  it('reads a secret from a file and never describes it', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'secret');
    writeFileSync(file, 'canary-secret\n');
    const config = readConfig(fields, { NAME: 'n', SECRET_FILE: file });
    expect(config.SECRET).toBe('canary-secret');
    expect(JSON.stringify(describeConfig(fields, config))).not.toContain('canary');
  });
});
