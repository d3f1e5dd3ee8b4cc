import { Command } from 'commander';
import { Contract } from '../api/partner-reads-api';
import { reportErrors } from './describe-error';
import { EdgeOptions, readHelp, withEdge, withReads } from './edge-access';
import { printable } from './printable';
import { Terminal } from './terminal';

type Version = NonNullable<Contract['in_force']>;
type Attribute = Version['events'][number]['attributes'][number];

const help = `
What it does: shows the event names and attributes that are negotiated with you and in force, those that will be, and your rate.
${readHelp}

Examples:
  $ npx --no podium-partner contract
  $ npx --no podium-partner contract --json > contract.json`;

/** `contract`; `end` gets the exit code. */
export function contractCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('contract').description('show what is negotiated with you'))
    .option('--json', 'print the contract as JSON, with a JSON Schema of each event')
    .addHelpText('after', help)
    .action((options: EdgeOptions & { json?: boolean }) =>
      reportErrors(terminal, end, async () => {
        const contract = await withReads(options, terminal, (reads) => reads.contract());
        terminal.out(options.json ? `${JSON.stringify(contract, null, 2)}\n` : describe(contract));
      }),
    );
}

function describe(contract: Contract): string {
  const { platform, rate_per_second: rate, burst, max_batch: maxBatch, in_force: inForce, upcoming } = contract;
  return [
    `Platform: ${platform}`,
    `Rate: ${rate} events per second, ${burst} at once, ${maxBatch} in a batch`,
    ...(inForce === null
      ? ['', 'Nothing is in force yet: every event is refused.']
      : versionLines(inForce, 'in force since')),
    ...upcoming.flatMap((version) => versionLines(version, 'in force from')),
    '',
  ].join('\n');
}

function versionLines({ version, in_force_from: from, events }: Version, when: string): string[] {
  return [
    '',
    `Version ${version}, ${when} ${from}`,
    ...events.flatMap(({ name, kind, attributes }) => [
      `  ${printable(name)} (${kind})`,
      ...attributes.map((attribute) => `    ${printable(attribute.name)}: ${attributeText(attribute)}`),
    ]),
  ];
}

/** The type of an attribute's values and what is declared of them. */
export function attributeText(attribute: Attribute): string {
  const { type, non_negative: nonNegative, currencies, currency_attribute: named } = attribute;
  const money = named === undefined ? [] : [`in ${(currencies ?? []).join(', ')} by ${printable(named)}`];
  return [type, ...(nonNegative ? ['not negative'] : []), ...money].join(', ');
}
