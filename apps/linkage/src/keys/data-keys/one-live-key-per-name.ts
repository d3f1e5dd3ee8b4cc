import { CodedError } from '@podium/messages';
import { entityQueryable } from '@podium/runtime/postgres';
import { EntityManager, IsNull, Not } from 'typeorm';
import { ApiKey } from '../../entities/api-key.entity';
import { isLive } from '../every-kind/key-validity';
import { lockDataKeyName } from './data-key-names.store';

/**
 * Throws `conflict` if another data key of the owner with this name is live, and blocks one until the transaction ends. Only the
 * answer has the key: a request that is repeated after a lost answer would leave a live key that nobody has.
 */
export async function requireOneLiveKey(
  manager: EntityManager,
  { name, organizerId, keyId = '' }: { name: string; organizerId: string | null; keyId?: string },
  now: Date,
): Promise<void> {
  await lockDataKeyName(entityQueryable(manager), name, organizerId);
  const owner = organizerId ?? IsNull();
  const others = await manager.findBy(ApiKey, { kind: 'data', name, organizerId: owner, keyId: Not(keyId) });
  const live = others.filter((key) => isLive(key, now));
  if (live.length > 0)
    throw new CodedError('conflict', {
      message:
        `A data key of this name is live (${live.map((key) => key.keyId).join(', ')}); revoke it first, for example after a lost ` +
        'response, or create one with another name.',
    });
}
