import { createHash } from 'node:crypto';

/** The vault's key in specs. */
export const vaultKey = keyOf('vault key of specs');
/** The key of sessions in specs. */
export const sessionKey = keyOf('session key of specs');

/** 32 bytes that are the same in every process of a run. */
function keyOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
