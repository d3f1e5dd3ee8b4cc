import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findingCatalogue } from '../../../libs/partner-check/src';
import { GeneratedFile } from './generated-file';

const docs = resolve(__dirname, '../../../docs');
const page = 'site/linking.md';
const examples = { 'partner-server.mjs': 'js', 'partner_server.py': 'python' } as const;

/** The page for partners on linking: its text is written by hand, example servers and findings come from their source. */
export function linkingPage(): GeneratedFile[] {
  let content = readFileSync(join(docs, page), 'utf8');
  for (const [file, language] of Object.entries(examples)) {
    const source = readFileSync(join(docs, 'examples', file), 'utf8').trimEnd();
    content = withPart(content, file, `\`\`\`${language}\n${source}\n\`\`\``);
  }
  const findings = Object.entries(findingCatalogue).map(
    ([code, { severity, title, rule, effect, fix }]) => `### ${code}

${title}. **${severity[0].toUpperCase()}${severity.slice(1)}.** ${effect}

- Rule: ${rule}
- Fix: ${fix}`,
  );
  return [{ path: `docs/${page}`, content: withPart(content, 'findings', findings.join('\n\n')) }];
}

/** Replaces what is between the comment with the part's name and the next end. */
function withPart(content: string, name: string, part: string): string {
  const begin = `<!-- ${name} -->`;
  const from = content.indexOf(begin);
  const to = content.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0) throw new Error(`docs/${page} has no part ${name}`);
  return `${content.slice(0, from + begin.length)}\n\n${part}\n\n${content.slice(to)}`;
}
