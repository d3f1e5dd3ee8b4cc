import { ApiKeyData, IntegrationData, LinkData, TopicRow, topics } from '@podium/messages';
import { GroupPositions, Kafka } from '@podium/runtime/kafka';
import { PublishedRecord, ReconcileOptions, findLost, reconcileOutbox } from '@podium/runtime/outbox';
import { Pool, Queryable } from '@podium/runtime/postgres';
import { RepairedLinkage, repairLostCommits } from '../../../linkage/src/operations/restore/repair-lost-commits';
import { quietLogger } from '../cli/server-connections';
import { readPresentStates } from './current-states.queries';

/** A state that linkage has published and Postgres has lost. */
export interface LostCommit {
  readonly topic: string;
  readonly key: string;
  readonly revision: number;
  /** When it was published, ISO 8601. */
  readonly published_at: string;
  /** The state in the topic. */
  readonly published: string;
  /** The state in Postgres; null when it has no state of this key. */
  readonly in_postgres: string | null;
}

/** A service with an outbox. */
export type Publisher = 'linkage' | 'engagement';

/** Published records of a service that Postgres has lost; null when its outbox is open. Changes nothing. */
export function findLostOf(pool: Pool, kafka: Kafka, owner: Publisher): Promise<readonly PublishedRecord[] | null> {
  return withOptions(pool, kafka, owner, findLost);
}

/** Restores linkage's lost commits from its topics; null when none are lost. */
export async function repairLinkage(pool: Pool, kafka: Kafka, by: string): Promise<RepairedLinkage | null> {
  let repaired: RepairedLinkage | null = null;
  await withOptions(pool, kafka, 'linkage', (options) =>
    reconcileOutbox(options, async (tx, lost) => void (repaired = await repairLostCommits(tx, lost, by))),
  );
  return repaired;
}

/** Describes each lost record, with the state in Postgres. */
export async function describeLost(db: Queryable, lost: readonly PublishedRecord[]): Promise<LostCommit[]> {
  const described: LostCommit[] = [];
  for (const topic of new Set(lost.map((each) => each.topic))) {
    const records = lost.filter((each) => each.topic === topic);
    const present = await readPresentStates(db, topic, [...new Set(records.map(({ key }) => key))]);
    for (const each of records)
      described.push({
        topic,
        key: each.key,
        revision: each.revision,
        published_at: new Date(each.timestampMs).toISOString(),
        published: toldBy(each),
        in_postgres: present.get(each.key) ?? null,
      });
  }
  return described;
}

function toldBy({ topic, record }: PublishedRecord): string {
  if (!record) return 'removed';
  if (topic === topics.links.name) {
    const { state, user_id } = record.data as LinkData;
    return `${state}, user ${user_id}`;
  }
  if (topic === topics.integrations.name) {
    const { status, contracts } = record.data as IntegrationData;
    return `${status}, contract ${contracts.length === 0 ? '-' : Math.max(...contracts.map(({ version }) => version))}`;
  }
  if (topic === topics.apiKeys.name) {
    const { revoked_at, not_after } = record.data as ApiKeyData;
    return revoked_at !== null ? 'revoked' : not_after !== null ? 'ends' : 'valid';
  }
  return record.type;
}

async function withOptions<T>(
  pool: Pool,
  kafka: Kafka,
  owner: Publisher,
  work: (options: ReconcileOptions) => Promise<T>,
): Promise<T> {
  const positions = new GroupPositions(kafka, quietLogger);
  const written = Object.values<TopicRow>(topics).filter((row) => row.owner === owner);
  try {
    return await work({ pool, kafka, positions, schema: owner, topics: written, logger: quietLogger });
  } finally {
    await positions.close();
  }
}
