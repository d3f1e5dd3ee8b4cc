/** The values of each field over all rows, as `unnest` takes them. */
export function columnsOf<Row, Field extends keyof Row>(
  rows: readonly Row[],
  fields: readonly Field[],
): Row[Field][][] {
  return fields.map((field) => rows.map((row) => row[field]));
}
