/** Timeout of each SQL statement of a read. A slower one is refused: its client no longer waits, others need its connection. */
export const statementTimeoutMs = 2_000;
