import { ApiKeyData, createKey } from '@podium/messages';
import { EventKeys } from './event-keys';

const nowMs = 1_750_000_000_000;

function dataOf(hash: string, changes: Partial<ApiKeyData> = {}): ApiKeyData {
  return {
    key_id: 'k',
    kind: 'event',
    hash,
    integration_id: 'i',
    platform: 'acme',
    scopes: [],
    rate_per_second: 40,
    not_after: null,
    revoked_at: null,
    ...changes,
  };
}

describe('EventKeys', () => {
  const made = createKey('test', 'ev');
  let viewAgeMs = 0;
  let keys: EventKeys;

  beforeEach(() => {
    viewAgeMs = 0;
    keys = new EventKeys(
      'test',
      () => viewAgeMs,
      () => nowMs,
    );
    keys.setKey(made.keyId, dataOf(made.hash));
  });

  const outcome = (authorization: string | undefined = `Bearer ${made.key}`): string => {
    const caller = keys.authenticate(authorization);
    return caller.ok ? caller.platform : caller.refusal.code;
  };

  it.each([
    ['a live key', {}, 'acme'],
    ['a key that expires in a millisecond', { not_after: nowMs + 1 }, 'acme'],
    ['a key that expires now', { not_after: nowMs }, 'unauthorized'],
    ['a revoked key', { revoked_at: nowMs + 1 }, 'unauthorized'],
    ['a data key', { kind: 'data' as const }, 'unauthorized'],
    ['a key without a platform', { platform: null }, 'unauthorized'],
    ['a key that may send', { event_scopes: ['events:send'] }, 'acme'],
    ['a key that may only read', { event_scopes: ['events:read'] }, 'forbidden'],
    ['a key with a scope of a later release only', { event_scopes: ['events:replay'] }, 'forbidden'],
    ['a key of another hash', { hash: '00'.repeat(32) }, 'unauthorized'],
  ])('%s', (_name, changes, expected) => {
    keys.setKey(made.keyId, dataOf(made.hash, changes));
    expect(outcome()).toBe(expected);
  });

  it.each([
    ['nothing', undefined, 'unauthorized'],
    ['an empty header', '', 'unauthorized'],
    ['only the scheme', 'Bearer', 'unauthorized'],
    ['the scheme in another case', `bEARER ${made.key}`, 'acme'],
    ['several blanks', `Bearer   ${made.key}`, 'acme'],
    ['no scheme', made.key, 'unauthorized'],
    ['another scheme', `Basic ${made.key}`, 'unauthorized'],
    ['two keys', `Bearer ${made.key}, ${made.key}`, 'unauthorized'],
    ['a key in capitals', `Bearer ${made.key.toUpperCase()}`, 'unauthorized'],
    ['the other environment', `Bearer ${createKey('production', 'ev').key}`, 'environment_mismatch'],
    ["the other environment's data key", `Bearer ${createKey('production', 'dt').key}`, 'environment_mismatch'],
  ])('takes %s as it is meant', (_name, authorization, expected) => {
    const caller = keys.authenticate(authorization);
    expect(caller.ok ? caller.platform : caller.refusal.code).toBe(expected);
  });

  it('admits two live keys of one platform', () => {
    const second = createKey('test', 'ev');
    keys.setKey(second.keyId, dataOf(second.hash));
    expect([outcome(), outcome(`Bearer ${second.key}`)]).toEqual(['acme', 'acme']);
  });

  it('needs no lookup and no view for random keys', () => {
    viewAgeMs = Infinity;
    expect(outcome(`Bearer ${made.key.slice(0, -1)}${made.key.endsWith('0') ? '1' : '0'}`)).toBe('unauthorized');
    expect(outcome(`Bearer ${createKey('production', 'ev').key}`)).toBe('environment_mismatch');
    expect(outcome()).toBe('unavailable');
  });

  it('returns 503 for known and unknown keys once the view is older than 60 s', () => {
    viewAgeMs = 60_000;
    expect(outcome()).toBe('acme');
    viewAgeMs = 60_001;
    expect([outcome(), outcome(`Bearer ${createKey('test', 'ev').key}`)]).toEqual(['unavailable', 'unavailable']);
  });

  it('lets a key read unless its record says that it only sends', () => {
    const reading = (): string => {
      const caller = keys.authenticate(`Bearer ${made.key}`, 'events:read');
      return caller.ok ? caller.platform : caller.refusal.code;
    };
    expect(reading()).toBe('acme');
    keys.setKey(made.keyId, dataOf(made.hash, { event_scopes: ['events:read'] }));
    expect(reading()).toBe('acme');
    keys.setKey(made.keyId, dataOf(made.hash, { event_scopes: ['events:send'] }));
    expect(reading()).toBe('forbidden');
  });

  it('gives every key of a platform the rate of its integration, 40 unless its record has one', () => {
    const rate = (): string | undefined => {
      const caller = keys.authenticate(`Bearer ${made.key}`);
      return caller.ok ? caller.rate.header : undefined;
    };
    expect(rate()).toBe('40, 40;w=1');
    keys.setIntegration('acme', { status: 'active', rate_per_second: 1000 });
    keys.setIntegration('other', { status: 'active', rate_per_second: 7 });
    expect(rate()).toBe('1000, 1000;w=1');
    keys.setIntegration('acme', { status: 'active' });
    expect(rate()).toBe('40, 40;w=1');
    keys.setIntegration('acme', null);
    expect(rate()).toBe('40, 40;w=1');
  });

  it("keeps another platform's pause apart", () => {
    keys.setIntegration('other', { status: 'paused' });
    expect(outcome()).toBe('acme');
    keys.setIntegration('acme', { status: 'paused' });
    expect(outcome()).toBe('integration_paused');
  });
});
