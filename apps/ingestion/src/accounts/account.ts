import { identityDigest } from '@podium/messages';

/** One account at a partner. */
export interface AccountRef {
  readonly platform: string;
  readonly platformUserId: string;
}

/** A map key for an account; the length distinguishes `a` + `bc` from `ab` + `c`. */
export function accountKey({ platform, platformUserId }: AccountRef): string {
  return `${platform.length}:${platform}${platformUserId}`;
}

/** The digest of an account, in hex; only this digest is stored for an erased account. */
export function accountDigest({ platform, platformUserId }: AccountRef): string {
  return identityDigest(platform, platformUserId).toString('hex');
}
