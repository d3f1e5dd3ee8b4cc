import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { Contract } from '../api/partner-reads-api';
import { reportErrors } from './describe-error';
import { EdgeOptions, readHelp, withEdge, withReads } from './edge-access';
import { Terminal, UsageError } from './terminal';
import { pythonTypes, typescriptTypes } from './types-of-contract';

const writers = { typescript: typescriptTypes, python: pythonTypes } as const;

interface Options extends EdgeOptions {
  readonly language: keyof typeof writers;
  readonly out?: string;
  readonly upcoming?: boolean;
}

const help = `
What it does: writes the types of your negotiated events, so that a misspelt name does not compile.
${readHelp}

Examples:
  $ npx --no podium-partner types --out src/podium-events.ts
  $ npx --no podium-partner types --language python --out podium_events.py`;

/** `types`; `end` gets the exit code. */
export function typesCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('types').description('write the types of your negotiated events'))
    .addOption(new Option('--language <language>', 'of the types').choices(Object.keys(writers)).default('typescript'))
    .option('--out <file>', 'the file to write; without it the types are printed')
    .option('--upcoming', 'of the next version instead of the one in force')
    .addHelpText('after', help)
    .action((options: Options) =>
      reportErrors(terminal, end, async () => {
        const contract = await withReads(options, terminal, (reads) => reads.contract());
        const text = writers[options.language](contract.platform, versionOf(contract, options));
        if (options.out === undefined) terminal.out(text);
        else writeFileSync(options.out, text);
      }),
    );
}

function versionOf({ in_force: inForce, upcoming }: Contract, options: Options): NonNullable<Contract['in_force']> {
  const version = options.upcoming ? upcoming.at(0) : inForce;
  if (version) return version;
  throw new UsageError(
    options.upcoming ? 'No version is upcoming.' : 'No version is in force yet; --upcoming takes the next one.',
  );
}
