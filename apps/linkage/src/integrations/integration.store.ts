import { CodedError } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Operator, OperatorRole, mayActFor, requireRole, visibleOrganizers } from '@podium/runtime/http';
import { entityQueryable } from '@podium/runtime/postgres';
import { DataSource, EntityManager, In, MoreThan } from 'typeorm';
import { Contract } from '../entities/contract.entity';
import { schema } from '../migrations/schema';
import { Integration } from '../entities/integration.entity';
import { RecordedContract, integrationRecord, requireRoom } from './integration-record';

/**
 * Reads and locks integrations for an operator. An operator who may not see an organizer's integrations gets `not_found`,
 * one who may see but not change them gets `forbidden`.
 */
export class IntegrationStore {
  constructor(private readonly dataSource: DataSource) {}

  /** The integration, for an operator who holds at least the role. */
  async get(operator: Operator, integrationId: string, role: OperatorRole = 'viewer'): Promise<Integration> {
    const integration = await this.dataSource.manager.findOneBy(Integration, { integrationId });
    return allowed(operator, integration, role);
  }

  /** As `get`, inside a transaction and locked: changes of one integration, its contracts and keys run one after the other. */
  async lock(
    manager: EntityManager,
    operator: Operator,
    integrationId: string,
    role: OperatorRole,
  ): Promise<Integration> {
    const lock = { mode: 'pessimistic_write' } as const;
    return allowed(operator, await manager.findOne(Integration, { where: { integrationId }, lock }), role);
  }

  /** Integrations that the operator may see, by platform, after the given one. */
  async list(operator: Operator, after: string | null, limit: number): Promise<Integration[]> {
    const organizers = visibleOrganizers(operator);
    return this.dataSource.manager.find(Integration, {
      where: {
        ...(organizers === 'all' ? {} : { organizerId: In(organizers) }),
        ...(after === null ? {} : { platform: MoreThan(after) }),
      },
      order: { platform: 'ASC' },
      take: limit,
    });
  }
}

/**
 * Publishes an integration's state in its transaction, after its row is locked; returns the outbox id. Throws `conflict` for
 * an added version that finds no room in the record; without one it is never refused, so that a pause reaches the gateway.
 */
export async function publishIntegration(
  manager: EntityManager,
  integration: Integration,
  added: readonly RecordedContract[] = [],
): Promise<number> {
  const kept = await manager.find(Contract, {
    where: { integrationId: integration.integrationId },
    order: { version: 'ASC' },
  });
  const contracts = [...kept, ...added];
  const nowMs = Date.now();
  if (added.length > 0) requireRoom(contracts, nowMs);
  const record = integrationRecord(integration, contracts, nowMs);
  const [outboxId] = await appendOutbox(entityQueryable(manager), schema, [record]);
  return outboxId;
}

function allowed(operator: Operator, integration: Integration | null, role: OperatorRole): Integration {
  if (!integration || !mayActFor(operator, integration.organizerId, 'viewer')) throw new CodedError('not_found');
  requireRole(operator, integration.organizerId, role);
  return integration;
}
