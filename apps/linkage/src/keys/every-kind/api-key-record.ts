import { ApiKeyData, apiKeyChanged, recordKey, topics } from '@podium/messages';
import { OutboxRecord, outboxRecord } from '@podium/runtime/outbox';
import { ApiKey } from '../../entities/api-key.entity';

/** The fields of a key's record. */
export type PublishedKey = Pick<
  ApiKey,
  | 'keyId'
  | 'kind'
  | 'format'
  | 'hash'
  | 'integrationId'
  | 'scopes'
  | 'eventScopes'
  | 'ratePerSecond'
  | 'notAfter'
  | 'revokedAt'
>;

/** The record of a key's complete state, for the gateway; never the key itself. */
export function apiKeyRecord(key: PublishedKey, platform: string | null): OutboxRecord {
  const data: ApiKeyData = {
    key_id: key.keyId,
    kind: key.kind,
    ...(key.kind === 'data' && { format: key.format }),
    hash: key.hash,
    integration_id: key.integrationId,
    platform,
    scopes: key.scopes,
    ...(key.eventScopes !== null && { event_scopes: key.eventScopes }),
    rate_per_second: key.ratePerSecond,
    not_after: key.notAfter?.getTime() ?? null,
    revoked_at: key.revokedAt?.getTime() ?? null,
  };
  return outboxRecord({ topic: topics.apiKeys, key: recordKey(key.keyId), definition: apiKeyChanged, data });
}
