import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { podiumProgram, runPodium } from './podium';

let out = '';
const environment = {
  env: {},
  readStdin: async () => '',
  out: (text: string) => void (out += text),
  err: (text: string) => void (out += text),
};

/** All commands below a group, with the words that call them. */
function commandsBelow(group: Command, words: readonly string[] = []): { name: string; command: Command }[] {
  return group.commands.flatMap((command) => {
    const own = [...words, command.name()];
    return [{ name: own.join(' '), command }, ...commandsBelow(command, own)];
  });
}

const commands = commandsBelow(podiumProgram(environment));
const missing = (has: (command: Command, name: string) => boolean): string[] =>
  commands.filter(({ command, name }) => !has(command, name)).map(({ name }) => name);

describe('help of every command', () => {
  beforeEach(() => (out = ''));

  it('has a summary, and a description of every option', () => {
    expect(commands.length).toBeGreaterThan(40);
    expect(missing((command) => command.description() !== '')).toEqual([]);
    expect(missing((command) => command.options.every(({ description }) => description !== ''))).toEqual([]);
  });

  it('has an example that calls the command, unless it is a group', () => {
    const hasExample = (command: Command, name: string): boolean => {
      out = '';
      command.outputHelp();
      return new RegExp(`Examples?:\\n(.*\\n)*? .*npm run podium -- ${name}`).test(out);
    };
    expect(missing((command, name) => command.commands.length > 0 || hasExample(command, name))).toEqual([]);
  });

  it.each(['segments create', 'segments revise', 'tasks create', 'tasks revise'])(
    'of %s names the pages that have the forms of a definition',
    async (command) => {
      await runPodium([...command.split(' '), '--help'], environment);
      const pages = out.match(/docs\/[\w-]+\.md/g) ?? [];
      expect(pages).toHaveLength(2);
      expect(pages.filter((page) => !existsSync(join(__dirname, '../../..', page)))).toEqual([]);
    },
  );

  it.each([
    ['--help', 0],
    ['no-such-command', 2],
    ['lag --no-such-option', 2],
  ])('%s ends with exit code %i', async (args, code) => {
    expect(await runPodium(args.split(' '), environment)).toBe(code);
  });
});
