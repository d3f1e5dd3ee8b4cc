/** A line of a table of the report: the first cell is the name of an operation. */
export function row(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(11))).join(' ');
}
