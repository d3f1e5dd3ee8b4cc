import { Environment, createKey, eventRatePerSecond, eventScopes } from '@podium/messages';
import { Operator, Page, PageQuery } from '@podium/runtime/http';
import { DataSource } from 'typeorm';
import { IntegrationStore } from '../../integrations/integration.store';
import { CreateKeyDto, CreatedKeyReply, KeyReply } from '../every-kind/api-key.dto';
import { ApiKey } from '../../entities/api-key.entity';
import { futureTime } from '../every-kind/key-validity';
import { pageOfKeys } from '../every-kind/key-page';
import { keyReply } from '../every-kind/key-reply';
import { requireLiveKeyLimit } from './live-key-limit';
import { publishKey } from '../every-kind/publish-key';

/** Creates and lists event keys; a change, its audit entry and its record are one transaction. */
export class EventKeyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
    private readonly environment: Environment,
  ) {}

  /** Creates an event key, shown only once; throws `conflict` when two are live. */
  async create(operator: Operator, integrationId: string, dto: CreateKeyDto): Promise<CreatedKeyReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.integrations.lock(manager, operator, integrationId, 'admin');
      const now = new Date();
      const notAfter = dto.not_after === undefined ? null : futureTime(dto.not_after, now);
      await requireLiveKeyLimit(manager, integrationId, now);
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
        eventScopes: dto.scopes?.map(({ scope }) => scope) ?? [...eventScopes],
        // Shown only; without effect, because the rate belongs to the integration.
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
}
