/** The table of reads, for specs that ask each of them. */
export { readRows } from '../src/reads/rows';
export type { ReadRow } from '../src/reads/read-row';
