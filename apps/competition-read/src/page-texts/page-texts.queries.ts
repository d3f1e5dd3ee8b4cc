/** Most bytes of the stored texts of a page that has several: memory has them for each of the requests under way. */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * SQL for rows in their order, each with the `bytes` of its `body` and of those before it. The planner forgets the order, and sorts
 * the rows again for aggregates that name one, unless it is given here too.
 */
export function countedRows(rows: string, order = ''): string {
  const before = `${order === '' ? '' : `ORDER BY ${order} `}ROWS UNBOUNDED PRECEDING`;
  return `SELECT counted.*, sum(octet_length(body)) OVER (${before}) AS bytes FROM (${rows}) AS counted`;
}

/** SQL for the body of a row of `countedRows`; an empty text unless the page has room for it. The length is known unread. */
export const boundedBody = `CASE WHEN bytes <= ${maxPageBytes} OR bytes = octet_length(body) THEN body ELSE '' END`;

/** SQL for the bodies of rows of `countedRows` as lines of one value, which an aggregate takes in their order; null without rows. */
export const joinedBodies = `string_agg(${boundedBody}, E'\\n')`;

/** Splits bodies that come as lines of one value: many small values cost more to transfer. JSON has no line breaks. */
export function linesOf(bodies: string | null): string[] {
  return bodies === null ? [] : bodies.split('\n');
}
