import { CodedError } from '@podium/messages';
import { Operator } from '@podium/runtime/http';
import { DataSource, EntityManager } from 'typeorm';
import { ApiKey } from '../../entities/api-key.entity';
import { IntegrationStore } from '../../integrations/integration.store';
import { requireOneLiveKey } from '../data-keys/one-live-key-per-name';
import { requireLiveKeyLimit } from '../event-keys/live-key-limit';
import { KeyReply } from '../every-kind/api-key.dto';
import { keyReply } from '../every-kind/key-reply';
import { futureTime, isLive } from '../every-kind/key-validity';
import { lockKeyOwner } from '../every-kind/lock-key-owner';
import { publishKey } from '../every-kind/publish-key';

/** Revokes keys and sets when they expire; each change, its audit entry and its record are one transaction. */
export class KeyExpiryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
  ) {}

  /** Revokes a key permanently, published at once; a second time changes nothing. */
  async revoke(operator: Operator, keyId: string): Promise<KeyReply> {
    return this.change(operator, keyId, 'key.revoked', async (key, now) => {
      if (key.revokedAt !== null) return false;
      key.revokedAt = now;
      return true;
    });
  }

  /**
   * Sets when a key expires. Throws `conflict` for a revoked key, and for one that has expired when with it a third event key of the
   * integration, or a second data key of its name and owner, would be live.
   */
  async expire(operator: Operator, keyId: string, notAfter: string): Promise<KeyReply> {
    return this.change(operator, keyId, 'key.expiry_set', async (key, now, manager) => {
      if (key.revokedAt !== null)
        throw new CodedError('conflict', { message: 'The key is revoked, which is permanent; create a new one.' });
      const wasLive = isLive(key, now);
      key.notAfter = futureTime(notAfter, now);
      if (wasLive) return true;
      if (key.integrationId !== null) await requireLiveKeyLimit(manager, key.integrationId, now);
      if (key.name !== null) await requireOneLiveKey(manager, { ...key, name: key.name }, now);
      return true;
    });
  }

  private async change(
    operator: Operator,
    keyId: string,
    action: string,
    apply: (key: ApiKey, now: Date, manager: EntityManager) => Promise<boolean>,
  ): Promise<KeyReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await lockKeyOwner(manager, this.integrations, operator, keyId);
      const lock = { mode: 'pessimistic_write' } as const;
      const key = await manager.findOneOrFail(ApiKey, { where: { keyId }, lock });
      const now = new Date();
      if (await apply(key, now, manager)) {
        await manager.save(key);
        await publishKey(manager, operator, { key, integration, action });
      }
      return keyReply(key, now);
    });
  }
}
