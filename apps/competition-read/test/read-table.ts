/** The table of reads, for specs that call each of them. */
export { readRows } from '../src/reads/rows/read-rows';
export type { ReadRow } from '../src/reads/rows/read-row';
