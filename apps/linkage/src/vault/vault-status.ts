import { Queryable } from '@podium/runtime/postgres';
import { VaultInstance, presentVaultInstances } from './vault-instances.store';
import { SealedUnder, sealedUnderOthers } from './vault-keys.store';

/** How a vault key is used by running instances and stored secrets. */
export interface VaultKeyStatus {
  readonly keyId: string;
  /**
   * `sealing`: an instance seals under it; `in_use`: something is still sealed under it; `unused`: neither; `missing`:
   * something is sealed under it and an instance does not have it.
   */
  readonly state: 'sealing' | 'in_use' | 'unused' | 'missing';
  /** Number of sealed texts under it; null for the sealing key, whose texts are not counted. */
  readonly sealed: number | null;
  /** Instances that have it. */
  readonly instances: number;
}

/** All keys that an instance has or that something is sealed under, and the instances. */
export async function readVaultStatus(
  db: Queryable,
  sealingKeyId: string,
): Promise<{ keys: VaultKeyStatus[]; instances: VaultInstance[] }> {
  // This order matters: if an instance changes its ring in between, its former sealing key is shown as in use, never as unused.
  const instances = await presentVaultInstances(db);
  const sealed = await sealedUnderOthers(db, sealingKeyId);
  return { keys: vaultKeyStatuses(instances, sealed, sealingKeyId), instances };
}

/** Classifies each key by the instances that have it and the texts sealed under it. */
export function vaultKeyStatuses(
  instances: readonly Pick<VaultInstance, 'keyIds'>[],
  sealed: readonly SealedUnder[],
  sealingKeyId: string,
): VaultKeyStatus[] {
  const known = [sealingKeyId, ...instances.flatMap(({ keyIds }) => keyIds), ...sealed.map(({ keyId }) => keyId)];
  return [...new Set(known)].map((keyId) => {
    const count = keyId === sealingKeyId ? null : (sealed.find((each) => each.keyId === keyId)?.sealed ?? 0);
    const having = instances.filter(({ keyIds }) => keyIds.includes(keyId)).length;
    const isSealing = keyId === sealingKeyId || instances.some(({ keyIds }) => keyIds[0] === keyId);
    return { keyId, state: stateOf(isSealing, count, having < instances.length), sealed: count, instances: having };
  });
}

function stateOf(isSealing: boolean, sealed: number | null, isLackedBySome: boolean): VaultKeyStatus['state'] {
  if (isLackedBySome && (isSealing || (sealed ?? 0) > 0)) return 'missing';
  if (isSealing) return 'sealing';
  return (sealed ?? 0) > 0 ? 'in_use' : 'unused';
}
