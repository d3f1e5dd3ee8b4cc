/** A deadlock or serialization failure: the same work may succeed when retried. */
export function isContention(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === '40P01' || code === '40001';
}

/**
 * Postgres refuses the data itself (SQLSTATE classes 22 and 23, and 54000 for a row or index entry that is too large): a
 * retry would fail the same way.
 */
export function isDataError(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code !== undefined && (code.startsWith('22') || code.startsWith('23') || code === '54000');
}

/** The name of the unique or check constraint that refused a row, if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  return sqlStateOf(error)?.startsWith('23') ? (error as { constraint?: string }).constraint : undefined;
}

function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
