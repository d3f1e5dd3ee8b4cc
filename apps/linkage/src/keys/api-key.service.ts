import { CodedError, Environment, createKey, eventRatePerSecond } from '@podium/messages';
import { Operator, Page, PageQuery } from '@podium/runtime/http';
import { DataSource, EntityManager } from 'typeorm';
import { IntegrationStore } from '../integrations/integration.store';
import { CreateKeyDto, CreatedKeyReply, KeyReply } from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { futureTime, isLive } from './key-lifetime';
import { pageOfKeys } from './key-page';
import { keyReply } from './key-reply';
import { requireRoom } from './key-room';
import { lockKeyOwner } from './lock-key-owner';
import { publishKey } from './publish-key';

/** Makes and shows event keys, and ends keys of any kind; each change, its audit entry and its record are one transaction. */
export class ApiKeyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
    private readonly environment: Environment,
  ) {}

  /** Makes an event key, shown this once; throws `conflict` when two are live. */
  async create(operator: Operator, integrationId: string, dto: CreateKeyDto): Promise<CreatedKeyReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.integrations.lock(manager, operator, integrationId, 'admin');
      const now = new Date();
      const notAfter = dto.not_after === undefined ? null : futureTime(dto.not_after, now);
      await requireRoom(manager, integrationId, now);
      const { key, keyId, hash } = createKey(this.environment, 'ev');
      await manager.insert(ApiKey, {
        keyId,
        kind: 'event',
        format: 'podium',
        name: null,
        hash,
        integrationId,
        organizerId: null,
        scopes: [],
        // Shown, and without effect: the gateway counts events per platform.
        ratePerSecond: eventRatePerSecond,
        notAfter,
        revokedAt: null,
        createdBy: operator.operatorId,
      });
      const created = await manager.findOneByOrFail(ApiKey, { keyId });
      await publishKey(manager, operator, { key: created, integration, action: 'key.created' });
      return { ...keyReply(created, now), key };
    });
  }

  /** Keys of an integration, newest first. */
  async list(operator: Operator, integrationId: string, query: PageQuery): Promise<Page<KeyReply>> {
    await this.integrations.get(operator, integrationId);
    const found = this.dataSource.manager
      .createQueryBuilder(ApiKey, 'key')
      .where('key.integrationId = :integrationId', { integrationId });
    return pageOfKeys(found, query);
  }

  /** Ends a key for good, published at once; a second time changes nothing. */
  async revoke(operator: Operator, keyId: string): Promise<KeyReply> {
    return this.change(operator, keyId, 'key.revoked', async (key, now) => {
      if (key.revokedAt !== null) return false;
      key.revokedAt = now;
      return true;
    });
  }

  /** Sets when a key ends; throws `conflict` for a revoked key or when a third one would live. */
  async expire(operator: Operator, keyId: string, notAfter: string): Promise<KeyReply> {
    return this.change(operator, keyId, 'key.expiry_set', async (key, now, manager) => {
      if (key.revokedAt !== null)
        throw new CodedError('conflict', { message: 'The key is revoked; that is for good.' });
      const wasLive = isLive(key, now);
      key.notAfter = futureTime(notAfter, now);
      if (!wasLive && key.integrationId !== null) await requireRoom(manager, key.integrationId, now);
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
