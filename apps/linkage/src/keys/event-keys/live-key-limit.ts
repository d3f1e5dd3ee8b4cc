import { CodedError } from '@podium/messages';
import { EntityManager } from 'typeorm';
import { ApiKey } from '../../entities/api-key.entity';
import { isLive } from '../every-kind/key-validity';

/** A rotation needs two live keys. */
const maxLiveKeys = 2;

/** Throws `conflict` when an integration has the maximum number of live event keys. */
export async function requireLiveKeyLimit(manager: EntityManager, integrationId: string, now: Date): Promise<void> {
  const keys = await manager.findBy(ApiKey, { integrationId, kind: 'event' });
  const live = keys.filter((key) => isLive(key, now));
  if (live.length >= maxLiveKeys)
    throw new CodedError('conflict', {
      message: `Two event keys are live (${live.map((key) => key.keyId).join(', ')}); revoke one first.`,
    });
}
