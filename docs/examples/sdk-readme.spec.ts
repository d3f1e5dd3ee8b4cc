import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { runPartnerProgram } from '../../sdk/typescript/src/command-line/partner-program';
import { sdkVersion } from '../../sdk/typescript/src/client/version';

const checkout = path.join(__dirname, '../..');
const read = (name: string): string => readFileSync(path.join(checkout, name), 'utf8');
const pages = [
  ...readdirSync(path.join(checkout, 'docs/site'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/site/${name}`),
  'sdk/typescript/README.md',
  'sdk/python/README.md',
];

/** Calls of the command line as pages show them, each with its command and options. */
const calls = pages.flatMap((page) =>
  [
    ...read(page)
      .replaceAll('\\\n', ' ')
      .matchAll(/podium-partner ([a-z][a-z-]+)((?: [^`#\n]*)?)/g),
  ].map(([text, command, rest]) => ({ page, text, command, options: rest.match(/--[a-z-]+/g) ?? [] })),
);

describe('pages about the SDKs', () => {
  it('show only commands and options that podium-partner has', async () => {
    expect(calls.length).toBeGreaterThan(15);
    const unknown: string[] = [];
    for (const { page, text, command, options } of calls) {
      let help = '';
      const terminal = {
        ...{ out: (part: string) => (help += part), err: () => undefined, isInteractive: false },
        ...{ ask: () => Promise.reject(new Error('nobody is asked')), readStdin: () => Promise.resolve('') },
      };
      const exitCode = await runPartnerProgram([command, '--help'], terminal);
      if (exitCode !== 0 || options.some((option) => !help.includes(option))) unknown.push(`${page}: ${text}`);
    }
    expect(unknown).toEqual([]);
  });

  it('install the versions that are served', () => {
    const python = /"([\d.]+)"/.exec(read('sdk/python/src/podium_partner/version.py'))?.[1];
    expect(read('sdk/typescript/README.md')).toContain(`/docs/sdk/podium-partner-${sdkVersion}.tgz`);
    expect(read('sdk/python/README.md')).toContain(`/docs/sdk/podium_partner-${python}-py3-none-any.whl`);
  });
});
