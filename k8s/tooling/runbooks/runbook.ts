import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';

/** Headings of every runbook, in this order. */
export const headings = ['Meaning', 'Impact', 'Diagnosis', 'Mitigation'] as const;

/** Where runbooks are, below the checkout. */
export const runbooksFolder = 'docs/operations/runbooks';

/** A page for whoever is told by an alert. */
export interface Runbook {
  /** Without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/** All pages. */
export function readRunbooks(): Runbook[] {
  const folder = path.join(checkoutFolder, runbooksFolder);
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => parseRunbook(file.slice(0, -3), fs.readFileSync(path.join(folder, file), 'utf8')));
}

/** A page's title and headings; what stands in a block is none. */
export function parseRunbook(name: string, text: string): Runbook {
  const prose = text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');
  return {
    name,
    title: /^# (.+)$/m.exec(prose)?.[1] ?? '',
    headings: [...prose.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
  };
}
