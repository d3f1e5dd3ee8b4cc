import { appendOutbox } from '@podium/runtime/outbox';
import { Operator } from '@podium/runtime/http';
import { entityQueryable } from '@podium/runtime/postgres';
import { EntityManager } from 'typeorm';
import { appendAudit } from '../../audit/audit.store';
import { Integration } from '../../entities/integration.entity';
import { schema } from '../../migrations/schema';
import { apiKeyRecord } from './api-key-record';
import { ApiKey } from '../../entities/api-key.entity';

/** Appends a changed key's record and audit entry to its transaction; the integration is null for a data key. */
export async function publishKey(
  manager: EntityManager,
  operator: Operator,
  { key, integration, action }: { key: ApiKey; integration: Integration | null; action: string },
): Promise<void> {
  const tx = entityQueryable(manager);
  await appendOutbox(tx, schema, [apiKeyRecord(key, integration?.platform ?? null)]);
  await appendAudit(tx, {
    actor: operator.operatorId,
    action,
    subject: `key:${key.keyId}`,
    organizerId: integration?.organizerId ?? key.organizerId,
    detail: {
      integration_id: key.integrationId,
      not_after: key.notAfter?.toISOString() ?? null,
      ...(key.eventScopes !== null && { scopes: key.eventScopes }),
      ...(key.kind === 'data' ? { name: key.name, scopes: key.scopes, rate_per_second: key.ratePerSecond } : {}),
    },
  });
}
