/**
 * Settings of sessions that change schemas. A change waits for a lock only briefly: other sessions queue behind it meanwhile,
 * and users with them. It is then tried again.
 */
export const migrationSession = { lock_timeout: '3s', statement_timeout: '0' } as const;
