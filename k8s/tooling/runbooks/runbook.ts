import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';

/** Headings of every runbook, in this order. */
export const headings = ['Meaning', 'Query', 'Expected', 'If not', 'Over when'] as const;

/** Folder of the runbooks, below the checkout. */
export const runbooksFolder = 'docs/operations/runbooks';

/** The part of a page below one heading. */
export interface RunbookSection {
  readonly heading: string;
  /** Without its blocks. */
  readonly prose: string;
  /** Content of its PromQL blocks. */
  readonly queries: readonly string[];
  /** Shell blocks. */
  readonly commands: readonly string[];
  /** Dashboard panels that it names, each with the query in the block below; undefined without one. */
  readonly panels: readonly { readonly dashboard: string; readonly panel: string; readonly query?: string }[];
}

/** A page for the person on call. */
export interface Runbook {
  /** Without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly sections: readonly RunbookSection[];
}

/** All pages. */
export function readRunbooks(): Runbook[] {
  const folder = path.join(checkoutFolder, runbooksFolder);
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => parseRunbook(file.slice(0, -3), fs.readFileSync(path.join(folder, file), 'utf8')));
}

/** Queries of all pages, with the page that has them. */
export function runbookQueries(): { page: string; expr: string }[] {
  return readRunbooks().flatMap(({ name, sections }) =>
    sections.flatMap(({ queries }) => queries.map((expr) => ({ page: name, expr }))),
  );
}

const block = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;
/** Replaces a block while headings are searched, because a shell comment looks like a heading. */
const placeholder = /\u0000(\d+)\u0000/g;

/** A page's title and sections. */
export function parseRunbook(name: string, text: string): Runbook {
  const blocks: { language: string; body: string }[] = [];
  const prose = text.replace(block, (_, _indent, language: string, body: string) => {
    blocks.push({ language, body: body.trimEnd() });
    return `\u0000${blocks.length - 1}\u0000`;
  });
  const [head, ...parts] = prose.split(/^## /m);
  const sections = parts.map((part) => {
    const [heading, ...lines] = part.split('\n');
    return sectionOf(heading, lines.join('\n'), blocks);
  });
  return { name, title: /^# (.+)$/m.exec(head)?.[1] ?? '', sections };
}

function sectionOf(
  heading: string,
  text: string,
  blocks: readonly { language: string; body: string }[],
): RunbookSection {
  const own = [...text.matchAll(placeholder)].map(([, number]) => blocks[Number(number)]);
  const bodies = (language: string): string[] =>
    own.filter((each) => each.language === language).map(({ body }) => body);
  const panels = [...text.matchAll(/[Dd]ashboard "([^"]+)", panel "([^"]+)":?\n*(?:\u0000(\d+)\u0000)?/g)].map(
    ([, dashboard, panel, number]) => ({ dashboard, panel, query: blocks[Number(number)]?.body }),
  );
  return {
    heading,
    prose: text.replaceAll(placeholder, '').trim(),
    queries: bodies('promql'),
    commands: bodies('sh'),
    panels,
  };
}
