import { CodedError, Environment, createKey } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Operator, Page, PageQuery, keyInCursor, mayActFor, pageOf, requireRole } from '@podium/runtime/http';
import { entityQueryable } from '@podium/runtime/postgres';
import { DataSource, EntityManager } from 'typeorm';
import { appendAudit } from '../audit/audit.store';
import { Integration } from '../integrations/integration.entity';
import { IntegrationStore } from '../integrations/integration.store';
import { schema } from '../migrations/schema';
import { apiKeyRecord } from './api-key-record';
import { CreateKeyDto, CreatedKeyReply, KeyReply } from './api-key.dto';
import { ApiKey } from './api-key.entity';

/** Two live at once are enough for a rotation. */
const maxLiveKeys = 2;

/** Specification, Limits: send-event request rate. */
const eventRatePerSecond = 40;

/** Makes, ends and shows API keys; each change, its audit entry and its record are one transaction. */
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
      await this.requireRoom(manager, integrationId, now);
      const { key, keyId, hash } = createKey(this.environment, 'ev');
      await manager.insert(ApiKey, {
        keyId,
        kind: 'event',
        hash,
        integrationId,
        organizerId: null,
        scopes: [],
        ratePerSecond: eventRatePerSecond,
        notAfter,
        revokedAt: null,
        createdBy: operator.operatorId,
      });
      const created = await manager.findOneByOrFail(ApiKey, { keyId });
      await this.published(manager, operator, created, integration, 'key.created');
      return { ...replyOf(created, now), key };
    });
  }

  /** Keys of an integration, newest first. */
  async list(operator: Operator, integrationId: string, query: PageQuery): Promise<Page<KeyReply>> {
    await this.integrations.get(operator, integrationId);
    const after = keyInCursor(query.cursor, ['number', 'string']);
    const found = this.dataSource.manager
      .createQueryBuilder(ApiKey, 'key')
      .where('key.integrationId = :integrationId', { integrationId })
      // To the millisecond, as a cursor has it: a column's microseconds would skip rows between pages.
      .orderBy(`date_trunc('milliseconds', key.createdAt)`, 'DESC')
      .addOrderBy('key.keyId', 'DESC')
      .limit(query.limit + 1);
    if (after)
      found.andWhere(`(date_trunc('milliseconds', key.createdAt), key.keyId) < (:createdAt, :keyId)`, {
        createdAt: timeInCursor(after[0]),
        keyId: after[1],
      });
    const now = new Date();
    return pageOf(
      await found.getMany(),
      query.limit,
      (row) => [row.createdAt.getTime(), row.keyId],
      (row) => replyOf(row, now),
    );
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
      if (!wasLive && key.integrationId !== null) await this.requireRoom(manager, key.integrationId, now);
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
      const integration = await this.lockOwner(manager, operator, keyId);
      const lock = { mode: 'pessimistic_write' } as const;
      const key = await manager.findOneOrFail(ApiKey, { where: { keyId }, lock });
      const now = new Date();
      if (await apply(key, now, manager)) {
        await manager.save(key);
        await this.published(manager, operator, key, integration, action);
      }
      return replyOf(key, now);
    });
  }

  /** The integration of an event key, locked before the key as everywhere; null for a data key, after its role is checked. */
  private async lockOwner(manager: EntityManager, operator: Operator, keyId: string): Promise<Integration | null> {
    const key = await manager.findOneBy(ApiKey, { keyId });
    if (!key) throw new CodedError('not_found');
    if (key.integrationId !== null) return this.integrations.lock(manager, operator, key.integrationId, 'admin');
    const organizerId = key.organizerId ?? '*';
    if (!mayActFor(operator, organizerId, 'viewer')) throw new CodedError('not_found');
    requireRole(operator, organizerId, 'admin');
    return null;
  }

  private async requireRoom(manager: EntityManager, integrationId: string, now: Date): Promise<void> {
    const keys = await manager.findBy(ApiKey, { integrationId, kind: 'event' });
    const live = keys.filter((key) => isLive(key, now));
    if (live.length >= maxLiveKeys)
      throw new CodedError('conflict', {
        message: `Two event keys are live (${live.map((key) => key.keyId).join(', ')}); revoke one first.`,
      });
  }

  private async published(
    manager: EntityManager,
    operator: Operator,
    key: ApiKey,
    integration: Integration | null,
    action: string,
  ): Promise<void> {
    const tx = entityQueryable(manager);
    await appendOutbox(tx, schema, [apiKeyRecord(key, integration?.platform ?? null)]);
    await appendAudit(tx, {
      actor: operator.operatorId,
      action,
      subject: `key:${key.keyId}`,
      organizerId: integration?.organizerId ?? key.organizerId,
      detail: { integration_id: key.integrationId, not_after: key.notAfter?.toISOString() ?? null },
    });
  }
}

function isLive(key: ApiKey, now: Date): boolean {
  return key.revokedAt === null && (key.notAfter === null || key.notAfter.getTime() > now.getTime());
}

function futureTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time.getTime() <= now.getTime())
    throw new CodedError('unprocessable', {
      message: 'not_after: must lie in the future; to end a key now, revoke it.',
    });
  return time;
}

function timeInCursor(ms: number): Date {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) throw new CodedError('invalid_request', { message: 'cursor: is none of ours' });
  return time;
}

function replyOf(key: ApiKey, now: Date): KeyReply {
  return {
    key_id: key.keyId,
    kind: key.kind,
    integration_id: key.integrationId,
    state: key.revokedAt !== null ? 'revoked' : isLive(key, now) ? 'live' : 'expired',
    rate_per_second: key.ratePerSecond,
    not_after: key.notAfter?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
  };
}
