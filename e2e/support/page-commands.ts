import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** A fenced `sh` block of a page. */
export interface PageCommands {
  /** The page, relative to the checkout. */
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** The text of the block: a shell script, whose placeholders are variables such as `$PLATFORM`. */
  readonly script: string;
  /** Why a test does not run it: the comment `<!-- not run: … -->` directly above the fence. */
  readonly notRun?: string;
  /** The expected output: the `text` block that directly follows. */
  readonly output?: string;
}

/** The result of running a block. */
export interface CommandsRun {
  /** 0 when all its commands succeeded. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const checkout = path.resolve(__dirname, '../..');
const fence = /^( *)```(\S*)$/;
const notRunComment = /^<!-- not run: (.+?) -->$/s;

/** All `sh` blocks of a page in order; the path of the page is relative to the checkout. */
export function commandsOf(page: string): PageCommands[] {
  const lines = fs.readFileSync(path.join(checkout, page), 'utf8').split('\n');
  const found: PageCommands[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opening = fence.exec(lines[at]);
    if (!opening) continue;
    const [, indent, language] = opening;
    const block = blockFrom(lines, at, indent, page);
    if (language === 'sh') {
      const notRun = reasonAbove(lines, at);
      const output = outputBelow(lines, block.end, page);
      found.push({
        page,
        line: at + 1,
        script: block.text,
        ...(notRun !== undefined && { notRun }),
        ...(output !== undefined && { output }),
      });
    }
    at = block.end;
  }
  return found;
}

/** The pages of a folder of the checkout, as paths for `commandsOf`. */
export function pagesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(checkout, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/**
 * Runs a block with `sh` in the checkout, or in a copy of it, until a command fails; an unset variable is an error. Apart from the
 * variables its environment has only `PATH` and `HOME`, so that it depends on nothing that a reader of the page lacks.
 */
export function runCommands(
  { script }: Pick<PageCommands, 'script'>,
  variables: Readonly<Record<string, string>>,
  timeoutMs = 180_000,
  folder = checkout,
): Promise<CommandsRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-euc', script], {
      cwd: folder,
      env: readersEnvironment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
      // At the deadline the shell's children end as well.
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const deadline = setTimeout(() => {
      stderr += `\nended after ${timeoutMs} ms\n`;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (exitCode) => {
      clearTimeout(deadline);
      resolve({ exitCode, stdout, stderr });
    });
  });
}

/** A reader's shell environment with these variables; npm's own output lines are suppressed. */
export function readersEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_loglevel: 'silent', ...variables };
}

/** A block as the title of a test, in one line. */
export function titleOf({ page, line, script }: PageCommands): string {
  return `${path.basename(page)}:${line} ${script.replaceAll(/\s+/g, ' ').trim().slice(0, 100)}`;
}

function blockFrom(
  lines: readonly string[],
  opening: number,
  indent: string,
  page: string,
): { text: string; end: number } {
  const end = lines.findIndex((line, at) => at > opening && line === `${indent}\`\`\``);
  if (end < 0) throw new Error(`${page}:${opening + 1}: the fence is not closed`);
  const text = lines
    .slice(opening + 1, end)
    .map((line) => line.slice(line.startsWith(indent) ? indent.length : 0))
    .join('\n');
  return { text, end };
}

/** The comment may have several lines; blank lines between it and the fence are ignored. */
function reasonAbove(lines: readonly string[], opening: number): string | undefined {
  let last = opening - 1;
  while (last >= 0 && lines[last].trim() === '') last--;
  let first = last;
  while (first > 0 && last - first < 5 && !lines[first].trim().startsWith('<!--')) first--;
  const comment = lines
    .slice(first, last + 1)
    .map((line) => line.trim())
    .join(' ');
  return notRunComment.exec(comment)?.[1];
}

function outputBelow(lines: readonly string[], closing: number, page: string): string | undefined {
  let at = closing + 1;
  while (at < lines.length && lines[at].trim() === '') at++;
  const opening = fence.exec(lines[at] ?? '');
  return opening?.[2] === 'text' ? blockFrom(lines, at, opening[1], page).text : undefined;
}
