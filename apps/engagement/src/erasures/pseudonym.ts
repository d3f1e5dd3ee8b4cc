import { identityDigest } from '@podium/messages';

/** Under what name awards of an erased user or account stay: what `engagement.pseudonym` of the database gives. */
export function pseudonymOf(platform: string, id: string): string {
  const hex = identityDigest(platform, id).toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `erased:${parts.join('-')}`;
}
