import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolders } from '@podium/testing';
import { readConfig } from './config';
import { address, keyRing, tokens } from './fields';
import { live } from './live-secret';
import {
  ProductionRule,
  encryptedRedis,
  https,
  httpsIfGiven,
  inProduction,
  notEverybody,
  randomKeys,
  strongSecret,
  strongTokens,
  verifiedPostgres,
} from './production-rules';

const scratchFolder = scratchFolders();
const random = randomBytes(32).toString('hex');
/** Of the least length. Sixteen digits of a random number have fewer than eight different ones once in ninety times. */
const short = randomBytes(12).toString('base64url');
const ring = (key: Buffer) => [{ id: 'k1', key }] as const;
const counting = Buffer.from(Array.from({ length: 32 }, (_, at) => at));

describe('rules of production', () => {
  const met: [string, ProductionRule<never>, unknown][] = [
    ['https', https, 'https://id.example'],
    ['httpsIfGiven', httpsIfGiven, ''],
    ['notEverybody', notEverybody, ['10.0.0.0/8', '192.0.2.1']],
    ['strongSecret', strongSecret, short],
    ['strongTokens', strongTokens, [random, random]],
    ['randomKeys', randomKeys, ring(randomBytes(32))],
    ['verifiedPostgres', verifiedPostgres, `postgres://a:${random}@db:5432/podium?sslmode=verify-full&sslrootcert=/a`],
    ['encryptedRedis', encryptedRedis, `rediss://a:${random}@redis:6379/0`],
  ];
  it.each(met)('%s is met', (_name, rule, value) => expect(rule.isMet(value as never)).toBe(true));

  const broken: [string, ProductionRule<never>, unknown][] = [
    ['https', https, 'http://id.example'],
    ['httpsIfGiven', httpsIfGiven, 'http://id.example/jwks'],
    ['notEverybody', notEverybody, ['10.0.0.0/8', '0.0.0.0/0']],
    ['notEverybody', notEverybody, ['::/0']],
    ['strongSecret', strongSecret, 'short-secret'],
    ['strongSecret', strongSecret, 'a-long-random-text'],
    ['strongSecret', strongSecret, 'development-oidc-client-secret'],
    ['strongSecret', strongSecret, 'abababababababababab'],
    ['strongTokens', strongTokens, [random, random.slice(0, 31)]],
    ['strongTokens', strongTokens, ['development-internal-token-4f3a9c1b7e']],
    ['randomKeys', randomKeys, ring(Buffer.alloc(32))],
    ['randomKeys', randomKeys, ring(Buffer.alloc(32, 7))],
    ['randomKeys', randomKeys, ring(counting)],
    ['randomKeys', randomKeys, ring(Buffer.from('correct horse battery staple, ok'))],
    ['randomKeys', randomKeys, [...ring(randomBytes(32)), ...ring(counting)]],
    ['verifiedPostgres', verifiedPostgres, `postgres://a:${random}@db:5432/podium`],
    ['verifiedPostgres', verifiedPostgres, `postgres://a:${random}@db:5432/podium?sslmode=disable`],
    ['verifiedPostgres', verifiedPostgres, `postgres://a:${random}@db:5432/podium?sslmode=require`],
    ['verifiedPostgres', verifiedPostgres, 'postgres://a:development@db:5432/podium?sslmode=verify-full'],
    ['verifiedPostgres', verifiedPostgres, 'postgres://a@db:5432/podium?sslmode=verify-full'],
    ['encryptedRedis', encryptedRedis, `redis://a:${random}@redis:6379/0`],
    ['encryptedRedis', encryptedRedis, 'rediss://redis:6379/0'],
  ];
  it.each(broken)('%s is not met (%#)', (_name, rule, value) => expect(rule.isMet(value as never)).toBe(false));

  it('accept random keys and secrets', () => {
    for (let i = 0; i < 2000; i++) {
      expect(randomKeys.isMet(ring(randomBytes(32)))).toBe(true);
      expect(strongTokens.isMet([randomBytes(24).toString('base64url')])).toBe(true);
    }
  });
});

describe('inProduction', () => {
  const fields = {
    URL: inProduction(https, address(['http', 'https'], { meaning: 'an address' })),
    TOKEN: live(inProduction(strongTokens, tokens({ meaning: 'tokens' }))),
    KEYS: live(inProduction(randomKeys, keyRing({ meaning: 'keys' }))),
  };
  const unsafe = { URL: 'http://x', TOKEN: 'canary', KEYS: `k:${Buffer.alloc(32).toString('base64')}` };

  it('refuses every unsafe value by name with what to do, and accepts them outside of production', () => {
    const read = (ENVIRONMENT: string): unknown => readConfig(fields, { ENVIRONMENT, ...unsafe });
    expect(() => read('test')).not.toThrow();
    const problem = (name: string): RegExp => new RegExp(`${name} is unsafe: in production it must [a-z]`);
    for (const name of ['URL', 'TOKEN', 'KEYS']) expect(() => read('production')).toThrow(problem(name));
    expect(() => read('production')).not.toThrow('canary');
  });

  it('keeps a live secret when its file gets an unsafe value', async () => {
    const file = join(scratchFolder(), 'TOKEN');
    writeFileSync(file, random);
    const { TOKEN } = readConfig({ TOKEN: fields.TOKEN }, { ENVIRONMENT: 'production', TOKEN_FILE: file });
    writeFileSync(file, 'canary');
    await expect(TOKEN.reload()).rejects.toThrow('is unsafe');
    expect(TOKEN.current).toEqual([random]);
  });
});
