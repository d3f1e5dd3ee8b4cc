import { CodedError, Environment, createKey, createUuidKey } from '@podium/messages';
import { Operator } from '@podium/runtime/http';
import { DataSource } from 'typeorm';
import { IntegrationStore } from '../../integrations/integration.store';
import { CreatedKeyReply, RotateKeyDto } from '../every-kind/api-key.dto';
import { ApiKey } from '../../entities/api-key.entity';
import { requireScopeRights } from '../data-keys/data-key.service';
import { isLive } from '../every-kind/key-validity';
import { keyReply } from '../every-kind/key-reply';
import { requireOneLiveKey } from '../data-keys/one-live-key-per-name';
import { requireLiveKeyLimit } from '../event-keys/live-key-limit';
import { lockKeyOwner } from '../every-kind/lock-key-owner';
import { publishKey } from '../every-kind/publish-key';

const defaultOverlapS = 7 * 24 * 60 * 60;

/** Replaces a key by a new one of the same kind and rights; both are valid during the overlap. */
export class KeyRotationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
    private readonly environment: Environment,
  ) {}

  /**
   * Returns the new key, shown only once; the former expires after the overlap, or earlier if it already would. Both
   * changes are one transaction. Throws `conflict` unless the key is live and the only live one: of the integration for an event
   * key, of its name and owner for a data key.
   */
  async rotate(operator: Operator, keyId: string, dto: RotateKeyDto): Promise<CreatedKeyReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await lockKeyOwner(manager, this.integrations, operator, keyId);
      const lock = { mode: 'pessimistic_write' } as const;
      const former = await manager.findOneOrFail(ApiKey, { where: { keyId }, lock });
      const now = new Date();
      if (!isLive(former, now))
        throw new CodedError('conflict', { message: 'The key has expired or is revoked; create a new one instead.' });
      if (former.integrationId !== null) await requireLiveKeyLimit(manager, former.integrationId, now);
      if (former.name !== null) await requireOneLiveKey(manager, { ...former, name: former.name }, now);
      // The operator sees the new key and could read data with it.
      requireScopeRights(operator, former.scopes);
      const { key, ...made } = this.keyLike(former);
      const { createdAt: _, ...kept } = former;
      await manager.insert(ApiKey, { ...kept, ...made, notAfter: null, createdBy: operator.operatorId });
      const overlapEnd = new Date(now.getTime() + (dto.overlap_seconds ?? defaultOverlapS) * 1000);
      if (former.notAfter === null || former.notAfter > overlapEnd) former.notAfter = overlapEnd;
      await manager.save(former);
      const created = await manager.findOneByOrFail(ApiKey, { keyId: made.keyId });
      await publishKey(manager, operator, { key: created, integration, action: 'key.created' });
      await publishKey(manager, operator, { key: former, integration, action: 'key.rotated' });
      return { ...keyReply(created, now), key };
    });
  }

  private keyLike(former: ApiKey): { key: string; keyId: string; hash: string } {
    if (former.format === 'uuid') return createUuidKey();
    return createKey(this.environment, former.kind === 'event' ? 'ev' : 'dt');
  }
}
