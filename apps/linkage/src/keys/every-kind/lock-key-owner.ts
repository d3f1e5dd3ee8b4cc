import { CodedError } from '@podium/messages';
import { Operator, mayActFor, requireRole } from '@podium/runtime/http';
import { EntityManager } from 'typeorm';
import { Integration } from '../../entities/integration.entity';
import { IntegrationStore } from '../../integrations/integration.store';
import { ApiKey } from '../../entities/api-key.entity';

/**
 * Checks, before a key is changed, that the operator manages its owner. Returns the integration of an event key, locked
 * before the key as everywhere; null for a data key.
 */
export async function lockKeyOwner(
  manager: EntityManager,
  integrations: IntegrationStore,
  operator: Operator,
  keyId: string,
): Promise<Integration | null> {
  const key = await manager.findOneBy(ApiKey, { keyId });
  if (!key) throw new CodedError('not_found');
  if (key.integrationId !== null) return integrations.lock(manager, operator, key.integrationId, 'admin');
  const organizerId = key.organizerId ?? '*';
  if (!mayActFor(operator, organizerId, 'viewer')) throw new CodedError('not_found');
  requireRole(operator, organizerId, 'admin');
  return null;
}
