import * as fs from 'node:fs';
import * as path from 'node:path';

const checkout = path.resolve(__dirname, '../../..');

/** A test that covers a case of another spec's table. */
export interface CoveringTest {
  /** Path of its spec from the root of the repository. */
  readonly spec: string;
  /** The whole name of the test, as its spec writes it. */
  readonly test: string;
}

/** Whether the spec exists and has a test of that name, which is not skipped. */
export function isThere({ spec, test }: CoveringTest): boolean {
  const file = path.join(checkout, spec);
  if (!fs.existsSync(file)) return false;
  const text = fs.readFileSync(file, 'utf8');
  return [...text.matchAll(/\bit\(\s*(['"`])([^]*?)\1,/g)].some(([, , name]) => name === test);
}
