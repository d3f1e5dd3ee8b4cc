import { Queryable } from '@podium/runtime/postgres';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { readSecretUse } from './activity.queries';

/** Which client secrets partners accept. */
export class SecretUse {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
  ) {}

  /**
   * When the partner last accepted a sealed secret, whether it was the current or the previous one at that time; null for
   * never, as long as counts are kept.
   */
  async lastAccepted(integrationId: string, sealed: string): Promise<Date | null> {
    // Empty after a restore until an operator enters it again.
    if (sealed === '') return null;
    const place = secretLocations.clientSecret(integrationId);
    return readSecretUse(this.db, integrationId, this.vault.fingerprints(this.vault.open(sealed, place), place));
  }
}
