import { CodedError, Environment, KeyScope, createKey, createUuidKey } from '@podium/messages';
import { Operator, Page, mayActFor, requireRole, visibleOrganizers } from '@podium/runtime/http';
import { DataSource } from 'typeorm';
import { CreatedKeyReply, KeyReply } from '../every-kind/api-key.dto';
import { ApiKey } from '../../entities/api-key.entity';
import { AnyDataKeyScopeDto } from '../every-kind/data-key-scopes.dto';
import { CreateDataKeyDto, DataKeyQuery } from './data-key.dto';
import { futureTime } from '../every-kind/key-validity';
import { pageOfKeys } from '../every-kind/key-page';
import { keyReply } from '../every-kind/key-reply';
import { publishKey } from '../every-kind/publish-key';
import { requireOneLiveKey } from './one-live-key-per-name';

const defaultRatePerSecond = 10;

/** Creates and lists data keys; a change, its audit entry and its record are one transaction. */
export class DataKeyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
  ) {}

  /**
   * Creates a data key, shown only once. Throws `forbidden` when its scopes exceed the rights of its creator, `conflict` when
   * the owner has a live one of this name.
   */
  async create(operator: Operator, dto: CreateDataKeyDto): Promise<CreatedKeyReply> {
    requireRole(operator, dto.organizer_id ?? '*', 'admin');
    const scopes = dto.scopes.map(scopeOf);
    requireScopeRights(operator, scopes);
    return this.dataSource.transaction(async (manager) => {
      const now = new Date();
      await requireOneLiveKey(manager, { name: dto.name, organizerId: dto.organizer_id ?? null }, now);
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
        eventScopes: null,
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

  /**
   * Data keys of the organizers that the operator may see, newest first. Only operators of the whole service see the service's
   * own keys.
   */
  async list(operator: Operator, query: DataKeyQuery): Promise<Page<KeyReply>> {
    if (query.organizer_id !== undefined) requireRole(operator, query.organizer_id, 'viewer');
    const organizers = query.organizer_id === undefined ? visibleOrganizers(operator) : [query.organizer_id];
    const found = this.dataSource.manager.createQueryBuilder(ApiKey, 'key').where(`key.kind = 'data'`);
    if (organizers !== 'all') found.andWhere('key.organizerId = ANY (:organizers)', { organizers });
    return pageOfKeys(found, query);
  }
}

/** Throws `forbidden` when these scopes exceed the rights of an operator. */
export function requireScopeRights(operator: Operator, scopes: readonly KeyScope[]): void {
  for (const [at, scope] of scopes.entries()) requireRight(operator, scope, at);
}

/** Queues of a game belong to many organizers, so only an admin of all may grant them. */
function requireRight(operator: Operator, scope: KeyScope, at: number): void {
  if (scope.scope === 'queues:developer' && !mayActFor(operator, '*', 'admin'))
    throw new CodedError('forbidden', {
      message: `scopes[${at}]: only an admin of the whole service may grant queues:developer.`,
    });
  if (scope.scope !== 'queues:organizer') return;
  const foreign = scope.organizer_ids.find((organizerId) => !mayActFor(operator, organizerId, 'admin'));
  if (foreign !== undefined)
    throw new CodedError('forbidden', { message: `scopes[${at}].organizer_ids: you are not an admin of ${foreign}.` });
}

/** The scope as it is stored and published: a plain object. */
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
