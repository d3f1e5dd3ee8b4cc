import { randomBytes } from 'node:crypto';
import { fixed } from '@podium/runtime/config';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { sealTokens } from './seal-tokens';

const linkId = '0190a6f0-0000-7000-8000-000000000001';
const draws = 200;

describe('sealed tokens of a link', () => {
  const vault = new Vault(fixed([{ id: 'k1', key: randomBytes(32) }]));
  const sealed = (expiresInS: number | null, assumedLifetimeS = 3600, refreshToken: string | null = 'rt-1') =>
    sealTokens(vault, linkId, { accessToken: 'at-1', refreshToken, expiresInS }, assumedLifetimeS);
  const dueTimes = (expiresInS: number | null, assumedLifetimeS?: number): number[] =>
    Array.from({ length: draws }, () => sealed(expiresInS, assumedLifetimeS).dueInS);

  // The longest lifetime is what a partner may state at most (partner-answers.ts).
  it.each([
    [10, 8.5, 9.5],
    [1000, 850, 950],
    [2000, 1700, 1900],
    [3600, 3300, 3500],
    [86_400, 86_100, 86_300],
    [10 * 365 * 86_400, 315_359_700, 315_359_900],
  ])('of %d s are due between %d and %d s, each at another time', (lifetimeS, least, most) => {
    const times = dueTimes(lifetimeS);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...times)).toBeLessThanOrEqual(most);
    expect(new Set(times).size).toBeGreaterThan(draws / 2);
    // Links made together spread over at least half of the time between.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan((most - least) / 2);
  });

  it('of a shorter lifetime than 30 s are refreshed in the background as those of 30 s', () => {
    for (let draw = 0; draw < draws; draw++) {
      const { dueInS, refreshInS } = sealed(1);
      expect(dueInS).toBeGreaterThanOrEqual(0.85);
      expect(dueInS).toBeLessThanOrEqual(0.95);
      expect(refreshInS).toBeGreaterThanOrEqual(25.5);
      expect(refreshInS).toBeLessThanOrEqual(28.5);
    }
    const longer = sealed(31);
    expect(longer.refreshInS).toBe(longer.dueInS);
  });

  it('have the lifetime of the profile when the partner does not say', () => {
    for (const time of dueTimes(null, 600)) {
      expect(time).toBeGreaterThanOrEqual(510);
      expect(time).toBeLessThanOrEqual(570);
    }
    for (const time of dueTimes(1000, 600)) expect(time).toBeGreaterThanOrEqual(850);
  });

  it('are bound to their link and to what they are', () => {
    const { accessTokenEnc, refreshTokenEnc } = sealed(null);
    expect(vault.open(accessTokenEnc, secretLocations.accessToken(linkId))).toBe('at-1');
    expect(vault.open(refreshTokenEnc ?? '', secretLocations.refreshToken(linkId))).toBe('rt-1');
    expect(() => vault.open(accessTokenEnc, secretLocations.refreshToken(linkId))).toThrow();
    expect(sealed(null, 3600, null).refreshTokenEnc).toBeNull();
  });
});
