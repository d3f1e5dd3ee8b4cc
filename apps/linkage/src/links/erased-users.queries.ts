import { identityDigest } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** A user of the service at one platform. */
export interface UserKey {
  readonly platform: string;
  readonly userId: string;
}

/** Digest of a user, in hex; only the digest of an erased user is stored. */
export function userDigest({ platform, userId }: UserKey): string {
  return identityDigest(platform, userId).toString('hex');
}

/** Whether a user, by digest, is being erased, or was erased at or after a time. */
export async function isErasedSince(tx: Queryable, userDigest: string, since: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM linkage.erasures
     WHERE user_digests @> ARRAY[$1::uuid] AND (completed_at IS NULL OR erased_at > $2) LIMIT 1`,
    [userDigest, since],
  );
  return rowCount !== 0;
}
