import {
  identityFields,
  integer,
  internalFields,
  kafkaFields,
  postgresFields,
  marksRedisFields,
} from '@podium/runtime/config';

/** Ingestion's own configuration. */
export const fields = {
  ...kafkaFields,
  ...marksRedisFields,
  ...postgresFields,
  ...internalFields,
  ...identityFields,
  EVENT_MARK_LIFETIME_SECONDS: integer(
    { min: 60, max: 30 * 86_400 },
    {
      unit: 's',
      meaning: 'How long the mark of a handled event id is kept in Redis; about 100 bytes each',
      default: '86400',
    },
  ),
  INTAKE_MAX_EVENTS: integer(
    { min: 1, max: 1_000_000 },
    {
      unit: 'events',
      meaning: 'Most events in flight; further batches are answered 503 overloaded',
      default: '5000',
    },
  ),
} as const;
