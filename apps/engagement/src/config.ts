import { identityFields, integer, internalFields, kafkaFields, postgresFields } from '@podium/runtime/config';

/** Engagement's own configuration. */
export const fields = {
  ...kafkaFields,
  ...postgresFields,
  ...internalFields,
  ...identityFields,
  DUE_POLL_MS: integer(
    { min: 50, max: 60_000 },
    { unit: 'ms', meaning: 'Pause between two checks of what is due without an event', default: '500' },
  ),
  RETENTION_POLL_SECONDS: integer(
    { min: 1, max: 86_400 },
    { unit: 's', meaning: 'Pause between two deletions of stored events past their retention', default: '600' },
  ),
} as const;
