/** Fields whose values are never logged, whatever a call site passes; pino checks them three levels deep. */
const secretFields = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'key',
  'token',
  'password',
];

/** Log redaction. Bodies of requests and records are not logged at all (V8). */
export const redaction = {
  paths: secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  censor: '(redacted)',
};
