import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { inTransaction } from '@podium/runtime/postgres';
import { copyOtherPositions, readPositions } from '../projection/positions.store';
import { projectionVersion } from '../projection/project';
import { lockLiveSet, readLiveSet, writeLiveSet } from '../table-sets/live-table-set.store';
import { tablesOf } from '../table-sets/table-set';
import { RebuildSupersededError } from './interrupted-rebuilds.store';
import { Rebuild, finishRebuild } from './rebuilds.store';
import { RebuildDependencies } from './run-rebuild';
import { TopicFollower } from './topic-follower';

/** How long the swap waits for Kafka, and then for the follower, while writes to the live set are blocked, milliseconds. */
const followerTimeoutMs = 5_000;

/**
 * Makes the set of a rebuild live once it has every change that the live set has. Writes to the live set are blocked
 * during the swap, so that no change is lost; reads continue. Returns false, without a swap, when Kafka did not respond or the
 * follower did not reach the positions of the live set in time, or when the set lacks what the follower had `reached`, because
 * Postgres has lost commits: the caller lets it continue and tries again.
 *
 * Positions of other topics stay as they are, that of redriven records above all: read again, an old one would bring back a
 * document that was removed since. The new set needs none of them, because a record is redriven only while it is the newest
 * of its key in the topic, where the rebuild has read it, or a newer one.
 */
export async function swapTableSets(
  { pool, row }: RebuildDependencies,
  rebuild: Rebuild,
  follower: TopicFollower,
  reached: ReadonlyMap<number, bigint>,
): Promise<boolean> {
  const name = (row ?? topics.competitionChanges).name;
  return inTransaction(pool, async (tx) => {
    await lockLiveSet(tx);
    const { live } = await readLiveSet(tx);
    if (live === rebuild.tables.set) throw new RebuildSupersededError();
    const wanted = await Promise.race([
      follower.withinTopic(await readPositions(tx, tablesOf(live), name)),
      sleep(followerTimeoutMs, undefined, { ref: false }),
    ]);
    if (wanted === undefined || !(await follower.reach(wanted, followerTimeoutMs))) return false;
    const stored = await readPositions(tx, rebuild.tables, name);
    // Both: the follower's own positions go back while it reads again what Postgres has lost.
    if ([...reached, ...follower.positions()].some(([partition, position]) => (stored.get(partition) ?? 0n) < position))
      return false;
    await rebuild.holds();
    await copyOtherPositions(tx, tablesOf(live), rebuild.tables, name);
    await finishRebuild(tx, rebuild);
    await writeLiveSet(tx, rebuild.tables.set, projectionVersion);
    return true;
  });
}
