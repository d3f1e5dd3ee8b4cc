import { ApiKeyData, createKey, createUuidKey } from '@podium/messages';
import { dataKeyOf } from '../../test/gateway-under-test';
import { DataKeys } from './data-keys';

const nowMs = 1_750_000_000_000;

describe('DataKeys', () => {
  const made = createKey('test', 'dt');
  const uuid = createUuidKey();
  let viewAgeMs: number;
  let keys: DataKeys;

  beforeEach(() => {
    viewAgeMs = 0;
    keys = new DataKeys(
      'test',
      () => viewAgeMs,
      () => nowMs,
    );
    keys.setKey(made.keyId, dataKeyOf(made.keyId, made.hash));
    keys.setKey(uuid.keyId, dataKeyOf(uuid.keyId, uuid.hash));
  });

  const outcome = (authorization: string | undefined): string => {
    const caller = keys.authenticate(authorization);
    return caller.ok ? caller.keyId : caller.refusal.code;
  };
  const both = (): string[] => [outcome(`Bearer ${made.key}`), outcome(`Bearer ${uuid.key}`)];

  it('identify the caller, with scopes and rate ready for headers', () => {
    keys.setKey(
      made.keyId,
      dataKeyOf(made.keyId, made.hash, {
        rate_per_second: 250,
        scopes: [{ scope: 'data:read' }, { scope: 'queues:developer', game_ids: ['cs2', 'dota2'] }],
      }),
    );
    expect(keys.authenticate(`Bearer ${made.key}`)).toEqual({
      ok: true,
      keyId: made.keyId,
      scopes: 'data:read queues:developer=cs2,dota2',
      rate: { intervalUs: 4000, burst: 250 },
      rateLimit: '250, 250;w=1',
    });
  });

  const changes: [string, Partial<ApiKeyData>, boolean][] = [
    ['unchanged', {}, true],
    ['that expire in a millisecond', { not_after: nowMs + 1 }, true],
    ['that expire now', { not_after: nowMs }, false],
    ['that are revoked', { revoked_at: nowMs + 1 }, false],
    ['that are for events', { kind: 'event', platform: 'acme' }, false],
    ['of another hash', { hash: '00'.repeat(32) }, false],
  ];
  it.each(changes)('%s are admitted or refused in both key formats', (_name, change, letIn) => {
    for (const { keyId, hash } of [made, uuid]) keys.setKey(keyId, { ...dataKeyOf(keyId, hash), ...change });
    expect(both()).toEqual(letIn ? [made.keyId, uuid.keyId] : ['unauthorized', 'unauthorized']);
  });

  it.each([
    ['nothing', undefined, 'unauthorized'],
    ['another scheme', `Basic ${made.key}`, 'unauthorized'],
    ['no key', 'Bearer hunter2', 'unauthorized'],
    ['an unknown key', `Bearer ${createKey('test', 'dt').key}`, 'unauthorized'],
    ['an unknown UUID', `Bearer ${createUuidKey().key}`, 'unauthorized'],
    ['a UUID in capitals', `bearer ${uuid.key.toUpperCase()}`, uuid.keyId],
    ['an event key', `Bearer ${createKey('test', 'ev').key}`, 'unauthorized'],
    ['a key of production', `Bearer ${createKey('production', 'dt').key}`, 'environment_mismatch'],
  ])('take %s as it is meant', (_name, authorization, expected) => expect(outcome(authorization)).toBe(expected));

  it('remove a key whose record was deleted, and the former hash of a changed key', () => {
    const second = createUuidKey();
    keys.setKey(uuid.keyId, dataKeyOf(uuid.keyId, second.hash));
    expect([outcome(`Bearer ${uuid.key}`), outcome(`Bearer ${second.key}`)]).toEqual(['unauthorized', uuid.keyId]);
    keys.setKey(uuid.keyId, null);
    keys.setKey(made.keyId, null);
    expect([...both(), outcome(`Bearer ${second.key}`)]).toEqual(['unauthorized', 'unauthorized', 'unauthorized']);
  });

  it('return 503 for unreadable keys until they are readable again; an unknown UUID may be such a key', () => {
    keys.setKeyUnreadable(made.keyId);
    expect([...both(), outcome(`Bearer ${createUuidKey().key}`)]).toEqual(['unavailable', uuid.keyId, 'unavailable']);
    keys.setKey(made.keyId, dataKeyOf(made.keyId, made.hash));
    expect([...both(), outcome(`Bearer ${createUuidKey().key}`)]).toEqual([made.keyId, uuid.keyId, 'unauthorized']);
    expect(() => keys.setKey(made.keyId, dataKeyOf(made.keyId, 'short'))).toThrow('SHA-256');
  });

  it('stay valid for ten minutes with a view that is older than a minute', () => {
    viewAgeMs = 660_000;
    expect(both()).toEqual([made.keyId, uuid.keyId]);
    viewAgeMs = 660_001;
    expect([...both(), outcome(`Bearer ${createKey('test', 'dt').key}`)]).toEqual(Array(3).fill('unavailable'));
    viewAgeMs = Infinity;
    expect([outcome('Bearer hunter2'), outcome(`Bearer ${createKey('production', 'dt').key}`)]).toEqual([
      'unauthorized',
      'environment_mismatch',
    ]);
  });
});
