import { Operator, requireRole } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { Vault } from './vault';
import { VaultReply } from './vault.dto';
import { readVaultStatus } from './vault-status';

/** Shows operators of the whole service the progress of a rotation of the vault's keys. */
export class VaultService {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
  ) {}

  async status(operator: Operator): Promise<VaultReply> {
    requireRole(operator, '*', 'viewer');
    const { keys, instances } = await readVaultStatus(this.db, this.vault.keyIds[0]);
    return {
      keys: keys.map(({ keyId, ...status }) => ({ key_id: keyId, ...status })),
      instances: instances.map(({ instance, keyIds, seenAt }) => ({
        instance,
        key_ids: [...keyIds],
        seen_at: seenAt.toISOString(),
      })),
    };
  }
}
