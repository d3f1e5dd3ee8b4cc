import { Command } from 'commander';
import { edgeFindings } from './doctor-edge';
import { Finding } from './doctor-finding';
import { networkFindings } from './doctor-network';
import { EdgeOptions, edgeAccessOf, edgeHelp, withEdge } from './edge-access';
import { Terminal } from './terminal';

const help = `
What it does: looks for what keeps events from arriving, and says how to fix it: name and addresses of the host, network,
certificate, key and what it may do, clock, rate and time of an answer, contract, types (those of podium-partner init --types), and
events that were refused in the last 24 hours. It sends no event. Three of its questions count against your rate.
${edgeHelp}

Exit codes: 0 no problem (there may be warnings), 1 events cannot be sent or are refused, 2 wrong usage, 3 not finished.

Examples:
  $ npx --no podium-partner doctor
  $ npx --no podium-partner doctor --json | jq '.findings[] | select(.fix)'`;

const marks = { ok: '✓', skipped: '-', warning: '!', problem: '✗' } as const;

/** `doctor`; `end` gets the exit code. */
export function doctorCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('doctor').description('look for what keeps events from arriving, and for its fix'))
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(async (options: EdgeOptions & { json?: boolean }) => {
      const access = edgeAccessOf(options, terminal);
      const network = await networkFindings(access.addresses.send, access.proxy);
      const findings = hasProblem(network) ? network : [...network, ...(await edgeFindings(access))];
      const isWell = !hasProblem(findings);
      terminal.out(options.json ? `${JSON.stringify({ ok: isWell, findings })}\n` : describe(findings));
      end(isWell ? 0 : 1);
    });
}

function hasProblem(findings: readonly Finding[]): boolean {
  return findings.some(({ result }) => result === 'problem');
}

function describe(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => {
    const line = `${marks[finding.result]} ${finding.check.padEnd(11)} ${finding.message}\n`;
    return 'fix' in finding ? `${line}  ${' '.repeat(11)} Fix: ${finding.fix}\n` : line;
  });
  return lines.join('');
}
