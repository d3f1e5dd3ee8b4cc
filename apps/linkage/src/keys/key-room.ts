import { CodedError } from '@podium/messages';
import { EntityManager } from 'typeorm';
import { ApiKey } from './api-key.entity';
import { isLive } from './key-lifetime';

/** Two live at once are enough for a rotation. */
const maxLiveKeys = 2;

/** Throws `conflict` when an integration has as many live event keys as it may. */
export async function requireRoom(manager: EntityManager, integrationId: string, now: Date): Promise<void> {
  const keys = await manager.findBy(ApiKey, { integrationId, kind: 'event' });
  const live = keys.filter((key) => isLive(key, now));
  if (live.length >= maxLiveKeys)
    throw new CodedError('conflict', {
      message: `Two event keys are live (${live.map((key) => key.keyId).join(', ')}); revoke one first.`,
    });
}
