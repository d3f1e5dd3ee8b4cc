import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseEnv } from 'node:util';
import { StackFailure } from '../failure';

const assignment = /^\s*(export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/;

/** Settings in the file `.env` of a folder, by name; empty without the file. A malformed line is a failure. */
export function readDotEnv(folder: string): Readonly<Record<string, string>> {
  const file = path.join(folder, '.env');
  if (!fs.existsSync(file)) return {};
  const text = fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  // Node's parser treats all text before the next "=" as a name, across lines, so one bad line hides a good one.
  const bad = withoutQuotedLines(text)
    .split('\n')
    .findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#') && !assignment.test(line));
  if (bad >= 0)
    throw new StackFailure(
      `Line ${bad + 1} of .env is not NAME=value: correct it, or begin it with # to leave it out.`,
    );
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}

/** The text with quoted values emptied; the lines stay as many. */
function withoutQuotedLines(text: string): string {
  return text.replace(/=[ \t]*(["'`])[^]*?\1/g, (quoted) => `=${'\n'.repeat(quoted.split('\n').length - 1)}`);
}
