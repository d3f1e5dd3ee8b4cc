import { address, integer, internalFields, kafkaFields, postgresFields, text } from '@podium/runtime/config';

/** Engagement's own configuration. */
export const fields = {
  ...kafkaFields,
  ...postgresFields,
  ...internalFields,
  OIDC_ISSUER_URL: address(['http', 'https'], {
    meaning: "The service's own identity provider, whose operator tokens are accepted",
    example: 'https://id.podium.example',
  }),
  OIDC_AUDIENCE: text({ meaning: 'Audience that tokens for this API carry', default: 'podium-api' }),
  DUE_POLL_MS: integer(
    { min: 50, max: 60_000 },
    { unit: 'ms', meaning: 'Pause between two looks at what is due without an event', default: '500' },
  ),
  RETENTION_POLL_SECONDS: integer(
    { min: 1, max: 86_400 },
    { unit: 's', meaning: 'Pause between two looks at stored events past their retention', default: '600' },
  ),
} as const;
