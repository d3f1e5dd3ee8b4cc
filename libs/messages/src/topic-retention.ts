/** How long a topic retains its records: the newest one of each key, some days, or all of them permanently. */
export type Retention = { kind: 'compact' } | { kind: 'days'; days: number } | { kind: 'forever' };

const compacted = { kind: 'compact' } as const;
const permanent = { kind: 'forever' } as const;

/** The retention of each topic, by its name in the topics table. */
export const topicRetention = {
  integrations: compacted,
  apiKeys: compacted,
  links: compacted,
  erasures: compacted,
  userEvents: { kind: 'days', days: 7 },
  definitions: compacted,
  memberships: compacted,
  taskProgress: { kind: 'days', days: 7 },
  rates: compacted,
  awards: permanent,
  awardResults: permanent,
  competitionChanges: compacted,
  passedBatches: compacted,
} as const satisfies Record<string, Retention>;

/** Days for which a tombstone is retained: longer than backups, so that a view restored from the oldest one still reads it. */
export const tombstoneRetentionDays = 35;

/** Days after which compaction has removed records that a newer record or a tombstone of the same key replaced. */
export const compactionLagDays = 1;

/** Days for which dead letters are retained. */
export const deadLetterRetentionDays = 14;

/** Days for which redriven records are retained: longer than any dead letter, because they show which of those were redriven. */
export const redriveRetentionDays = 2 * deadLetterRetentionDays;
