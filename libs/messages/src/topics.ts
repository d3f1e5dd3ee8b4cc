import { competitionChanges, competitionDocumentDeleted } from './competition/changes';
import { EventDefinition } from './envelope';
import { apiKeyChanged } from './events/api-key';
import { batchPassed } from './events/batch-passed';
import { bonusAwardAnswered, bonusAwardIssued, bonusAwardReversed } from './events/bonus-award';
import { definitionChanged } from './events/definition';
import { integrationChanged } from './events/integration';
import { linkChanged } from './events/link';
import { rateApproved } from './events/rate';
import { segmentMembershipChanged } from './events/segment-membership';
import { taskProgressChanged } from './events/task-progress';
import { userErased } from './events/user-erased';
import { userEventAccepted } from './events/user-event';
import { Retention, topicRetention } from './topic-retention';

/** A row of the topics table: producers and consumers use a row, never a string. */
export interface TopicRow<D extends EventDefinition = EventDefinition> {
  readonly name: string;
  /** The only role that may write. */
  readonly owner: 'linkage' | 'ingestion' | 'engagement' | 'bonus-engine' | 'competition' | 'operators';
  /** The parts of the record key (`recordKey`). */
  readonly key: readonly string[];
  /** Fixed for keyed topics: a change would move keys to other partitions. */
  readonly partitions: number;
  readonly retention: Retention;
  readonly events: readonly D[];
  /** Consumer groups with a shared view that must have committed past a record before it counts as known everywhere. */
  readonly readyWhen: readonly ConsumerGroup[];
  /** Groups that every instance has for itself, named `<prefix>.<instance>.<random>`; live ones must have committed past a record. */
  readonly inForceWhen: readonly ViewGroup[];
  /** Shared groups that consume the topic; each has a dead-letter topic. */
  readonly consumers: readonly ConsumerGroup[];
  readonly summary: string;
}

/** Consumer groups that the instances of a service share. */
export type ConsumerGroup =
  | 'linkage.erasures'
  | 'ingestion.link-view'
  | 'engagement.link-view'
  | 'engagement.erasures'
  | 'engagement.user-events'
  | 'engagement.award-results'
  | 'competition-read.projection';

/** Prefixes of groups that each instance has for itself, because it reads a small compacted topic whole. */
export type ViewGroup =
  | 'gateway.key-view'
  | 'gateway.integration-view'
  | 'ingestion.contract-view'
  | 'engagement.catalogue-view'
  | PassedBatchesGroup;

/** Consumers read the permissions to pass batches while one of them pauses a partition. */
type PassedBatchesGroup = `${'gateway' | 'linkage' | 'ingestion' | 'engagement' | 'competition-read'}.passed-batches`;

function topic<D extends EventDefinition>(
  row: Omit<TopicRow<D>, 'readyWhen' | 'inForceWhen' | 'consumers'> & Partial<TopicRow<D>>,
): TopicRow<D> {
  return { readyWhen: [], inForceWhen: [], consumers: [], ...row };
}

/** The table of all topics. */
export const topics = {
  integrations: topic({
    name: 'linkage.integrations.v1',
    owner: 'linkage',
    key: ['platform'],
    partitions: 1,
    retention: topicRetention.integrations,
    events: [integrationChanged],
    inForceWhen: ['gateway.integration-view', 'ingestion.contract-view', 'engagement.catalogue-view'],
    summary: 'Integrations with their contracts; for the gateway (pause), ingestion (contract), engagement (catalogue)',
  }),
  apiKeys: topic({
    name: 'linkage.api-keys.v1',
    owner: 'linkage',
    key: ['key_id'],
    partitions: 1,
    retention: topicRetention.apiKeys,
    events: [apiKeyChanged],
    inForceWhen: ['gateway.key-view'],
    summary:
      'Hashes, kinds and scopes of API keys, and the rates of data keys (rate_per_second is unused on event keys); for the gateway alone',
  }),
  links: topic({
    name: 'linkage.links.v1',
    owner: 'linkage',
    key: ['platform', 'platform_user_id'],
    partitions: 6,
    retention: topicRetention.links,
    events: [linkChanged],
    readyWhen: ['ingestion.link-view', 'engagement.link-view'],
    consumers: ['ingestion.link-view', 'engagement.link-view'],
    summary: 'Who is linked; unlinking is a state, only erasure is a tombstone',
  }),
  erasures: topic({
    name: 'linkage.erasures.v1',
    owner: 'linkage',
    key: ['erasure_id'],
    partitions: 1,
    retention: topicRetention.erasures,
    events: [userErased],
    readyWhen: ['engagement.erasures'],
    consumers: ['linkage.erasures', 'engagement.erasures'],
    summary:
      'Users who were erased, by digest; retained permanently, so that replay, redrive and restore skip what lies before',
  }),
  userEvents: topic({
    name: 'ingestion.user-events.v1',
    owner: 'ingestion',
    key: ['platform', 'platform_user_id'],
    partitions: 6,
    retention: topicRetention.userEvents,
    events: [userEventAccepted],
    consumers: ['engagement.user-events'],
    summary: 'Accepted partner events, each at least once',
  }),
  memberships: topic({
    name: 'engagement.segment-memberships.v1',
    owner: 'engagement',
    key: ['platform', 'user_id', 'segment_id'],
    partitions: 6,
    retention: topicRetention.memberships,
    events: [segmentMembershipChanged],
    summary: 'Who is in which segment; only erasure is a tombstone',
  }),
  definitions: topic({
    name: 'engagement.definitions.v1',
    owner: 'engagement',
    key: ['definition_id'],
    partitions: 1,
    retention: topicRetention.definitions,
    events: [definitionChanged],
    summary: 'Segments and tasks with all their versions; a restored database takes them from here',
  }),
  taskProgress: topic({
    name: 'engagement.task-progress.v1',
    owner: 'engagement',
    key: ['platform', 'user_id'],
    partitions: 6,
    retention: topicRetention.taskProgress,
    events: [taskProgressChanged],
    summary: 'How far users are with bonus tasks, only what changed; for product surfaces',
  }),
  rates: topic({
    name: 'engagement.rates.v1',
    owner: 'engagement',
    key: ['organizer_id', 'from', 'to', 'day'],
    partitions: 1,
    retention: topicRetention.rates,
    events: [rateApproved],
    summary: 'Approved rates of exchange; for a restore of the database',
  }),
  awards: topic({
    name: 'engagement.bonus-awards.v1',
    owner: 'engagement',
    key: ['platform', 'user_id'],
    partitions: 6,
    retention: topicRetention.awards,
    events: [bonusAwardIssued, bonusAwardReversed],
    summary: 'Awards issued and reversed; for the bonus engine and prize distribution',
  }),
  awardResults: topic({
    name: 'bonus.award-results.v1',
    owner: 'bonus-engine',
    key: ['platform', 'user_id'],
    partitions: 6,
    retention: topicRetention.awardResults,
    events: [bonusAwardAnswered],
    consumers: ['engagement.award-results'],
    summary: "The bonus engine's answers to awards",
  }),
  competitionChanges: topic({
    name: 'competition.changes.v1',
    owner: 'competition',
    key: ['kind', 'id'],
    partitions: 6,
    retention: topicRetention.competitionChanges,
    events: [...competitionChanges, competitionDocumentDeleted],
    consumers: ['competition-read.projection'],
    summary:
      'Every document of competition data after each change; for competition-read. A tombstone removes a document',
  }),
  passedBatches: topic({
    name: 'operators.passed-batches.v1',
    owner: 'operators',
    key: ['topic', 'partition', 'first_offset'],
    partitions: 1,
    retention: topicRetention.passedBatches,
    events: [batchPassed],
    inForceWhen: [
      'gateway.passed-batches',
      'linkage.passed-batches',
      'ingestion.passed-batches',
      'engagement.passed-batches',
      'competition-read.passed-batches',
    ],
    summary: 'Batches that cannot be decoded and that consumers may go past; for whoever one of them stops',
  }),
} as const;

/**
 * Maximum batch size, bytes, of the topics of the table. A record that may be large is bounded by it where it is made, because
 * batches are not compressed.
 */
export const topicMaxBytes = 1_048_588;

/**
 * Maximum batch size, bytes, of dead-letter and redrive topics. It exceeds that of the sources, because a letter is a record
 * with more headers, and may be uncompressed where the source is not. Larger records are written as a reference.
 */
export const letterTopicMaxBytes = 8 * 1024 * 1024;

/** Whether a service of Podium writes the topic; the records of other owners are foreign input. */
export function isOwnTopic({ owner }: Pick<TopicRow, 'owner'>): boolean {
  return owner === 'linkage' || owner === 'ingestion' || owner === 'engagement';
}

/** Name of the dead-letter topic of a group and a source topic. */
export function deadLetterTopicName(group: ConsumerGroup, source: Pick<TopicRow, 'name'>): string {
  return `${group}.${source.name}.dlq`;
}

/** Name of the topic by which operators redrive dead letters of a topic to one group only. */
export function redriveTopicName(group: ConsumerGroup, source: Pick<TopicRow, 'name'>): string {
  return `${group}.${source.name}.redrive`;
}
