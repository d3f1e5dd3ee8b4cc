import { eventScopes } from '@podium/messages';
import { KeyReply } from './api-key.dto';
import { ApiKey } from '../../entities/api-key.entity';
import { isLive } from './key-validity';

/** A key as operators see it. */
export function keyReply(key: ApiKey, now: Date): KeyReply {
  return {
    key_id: key.keyId,
    kind: key.kind,
    format: key.format,
    name: key.name,
    integration_id: key.integrationId,
    organizer_id: key.organizerId,
    scopes: key.kind === 'event' ? (key.eventScopes ?? eventScopes).map((scope) => ({ scope })) : key.scopes,
    state: key.revokedAt !== null ? 'revoked' : isLive(key, now) ? 'live' : 'expired',
    rate_per_second: key.ratePerSecond,
    not_after: key.notAfter?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
  };
}
