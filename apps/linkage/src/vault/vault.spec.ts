import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { KeyRing, RingKey, fixed } from '@podium/runtime/config';
import { secretLocations } from './secret-locations';
import { SealBrokenError, Vault } from './vault';

const key = (id: string): RingKey => ({ id, key: randomBytes(32) });
const place = secretLocations.accessToken('0190a6f0-0000-7000-8000-000000000001');

describe('Vault', () => {
  const [first, second] = [key('k1'), key('k2')];
  const vault = new Vault(fixed([first]));

  it('opens any text that it sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        expect(vault.open(vault.seal(secret, place), place)).toBe(secret);
      }),
    );
  });

  it('includes the key id and never seals the same text to the same bytes', () => {
    expect(vault.seal('s', place)).toMatch(/^v1\.k1\.[\w-]+$/);
    expect(vault.seal('s', place)).not.toBe(vault.seal('s', place));
  });

  it('finds the fingerprint of a secret again after a rotation of the ring, and only of that secret at that place', () => {
    const [stored] = vault.fingerprints('secret', place);
    expect(stored).toMatch(/^[0-9a-f]{16}$/);
    const rotated = new Vault(fixed([second, first]));
    expect(rotated.fingerprints('secret', place)).toContain(stored);
    expect(rotated.fingerprints('secret', place)[0]).not.toBe(stored);
    expect(rotated.fingerprints('other', place)).not.toContain(stored);
    expect(rotated.fingerprints('secret', secretLocations.accessToken('another'))).not.toContain(stored);
  });

  it('refuses a sealed text moved to another row or field', () => {
    const sealed = vault.seal('canary', place);
    expect(() => vault.open(sealed, secretLocations.accessToken('another'))).toThrow(SealBrokenError);
    expect(() => vault.open(sealed, secretLocations.refreshToken(place.row))).toThrow(SealBrokenError);
  });

  it('refuses a sealed text with any changed byte, without exposing its content', () => {
    const sealed = vault.seal('canary', place);
    const bytes = Buffer.from(sealed.split('.')[2], 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 1;
      const open = () => vault.open(`v1.k1.${changed.toString('base64url')}`, place);
      expect(open).toThrow(SealBrokenError);
      expect(open).not.toThrow(/canary/);
    }
    for (const broken of ['', 'v1', 'v1.k1.', 'v2.k1.AAAA', `${sealed}.x`, 'v1.k9.' + sealed.split('.')[2]])
      expect(() => vault.open(broken, place)).toThrow(SealBrokenError);
  });

  it('opens old texts after a rotation and seals under the new key', () => {
    const old = vault.seal('secret', place);
    const rotated = new Vault(fixed([second, first]));
    const moved = rotated.reseal(old, place);
    expect(moved.startsWith('v1.k2.')).toBe(true);
    expect(new Vault(fixed([second])).open(moved, place)).toBe('secret');
    expect(rotated.reseal(moved, place)).toBe(moved);
  });

  it('uses the current key ring after a change', () => {
    const ring: { current: KeyRing } = { current: [first] };
    const lasting = new Vault(ring);
    const old = lasting.seal('secret', place);
    ring.current = [second, first];
    expect(lasting.open(old, place)).toBe('secret');
    expect(lasting.seal('secret', place)).toMatch(/^v1\.k2\./);
    ring.current = [second];
    expect(() => lasting.open(old, place)).toThrow(SealBrokenError);
  });
});
