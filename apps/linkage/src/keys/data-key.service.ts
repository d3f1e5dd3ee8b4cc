import { CodedError, Environment, KeyScope, createKey, createUuidKey } from '@podium/messages';
import { Operator, Page, mayActFor, requireRole, visibleOrganizers } from '@podium/runtime/http';
import { DataSource } from 'typeorm';
import { CreatedKeyReply, KeyReply } from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { AnyDataKeyScopeDto } from './data-key-scopes.dto';
import { CreateDataKeyDto, DataKeyQuery } from './data-key.dto';
import { futureTime } from './key-lifetime';
import { pageOfKeys } from './key-page';
import { keyReply } from './key-reply';
import { publishKey } from './publish-key';

const defaultRatePerSecond = 10;

/** Makes and shows data keys; a change, its audit entry and its record are one transaction. */
export class DataKeyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
  ) {}

  /** Makes a data key, shown this once; throws `forbidden` when it could read what its maker has no right over. */
  async create(operator: Operator, dto: CreateDataKeyDto): Promise<CreatedKeyReply> {
    requireRole(operator, dto.organizer_id ?? '*', 'admin');
    const scopes = dto.scopes.map(scopeOf);
    requireScopeRights(operator, scopes);
    return this.dataSource.transaction(async (manager) => {
      const now = new Date();
      const { key, keyId, hash } = dto.format === 'uuid' ? createUuidKey() : createKey(this.environment, 'dt');
      await manager.insert(ApiKey, {
        keyId,
        kind: 'data',
        format: dto.format ?? 'podium',
        name: dto.name,
        hash,
        integrationId: null,
        organizerId: dto.organizer_id ?? null,
        scopes,
        ratePerSecond: dto.rate_per_second ?? defaultRatePerSecond,
        notAfter: dto.not_after === undefined ? null : futureTime(dto.not_after, now),
        revokedAt: null,
        createdBy: operator.operatorId,
      });
      const created = await manager.findOneByOrFail(ApiKey, { keyId });
      await publishKey(manager, operator, { key: created, integration: null, action: 'key.created' });
      return { ...keyReply(created, now), key };
    });
  }

  /** Data keys of the organizers that the operator may see, newest first; the service's own are for those who see all. */
  async list(operator: Operator, query: DataKeyQuery): Promise<Page<KeyReply>> {
    if (query.organizer_id !== undefined) requireRole(operator, query.organizer_id, 'viewer');
    const organizers = query.organizer_id === undefined ? visibleOrganizers(operator) : [query.organizer_id];
    const found = this.dataSource.manager.createQueryBuilder(ApiKey, 'key').where(`key.kind = 'data'`);
    if (organizers !== 'all') found.andWhere('key.organizerId = ANY (:organizers)', { organizers });
    return pageOfKeys(found, query);
  }
}

/** Throws `forbidden` when a key with these scopes could read what an operator has no right over. */
export function requireScopeRights(operator: Operator, scopes: readonly KeyScope[]): void {
  for (const [at, scope] of scopes.entries()) requireRight(operator, scope, at);
}

/** Queues of a game belong to many organizers, so only who manages all may give them away. */
function requireRight(operator: Operator, scope: KeyScope, at: number): void {
  if (scope.scope === 'queues:developer' && !mayActFor(operator, '*', 'admin'))
    throw new CodedError('forbidden', {
      message: `scopes.${at}: only an admin of the whole service gives queues:developer.`,
    });
  if (scope.scope !== 'queues:organizer') return;
  const foreign = scope.organizer_ids.find((organizerId) => !mayActFor(operator, organizerId, 'admin'));
  if (foreign !== undefined)
    throw new CodedError('forbidden', { message: `scopes.${at}.organizer_ids: you are no admin of ${foreign}.` });
}

/** The scope as it is kept and published, with nothing of the class that checked it. */
function scopeOf(dto: AnyDataKeyScopeDto): KeyScope {
  switch (dto.scope) {
    case 'data:read':
      return { scope: dto.scope };
    case 'queues:developer':
      return { scope: dto.scope, game_ids: dto.game_ids };
    case 'queues:organizer':
      return { scope: dto.scope, organizer_ids: dto.organizer_ids };
  }
}
