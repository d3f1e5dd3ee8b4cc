import { readFileSync, writeFileSync } from 'node:fs';
import { CheckReport, CheckTarget, htmlReport, logInsMax, runCheck, terminalReport } from '@podium/partner-check';
import { Command } from 'commander';
import { LoopbackBrowser, isLoopback } from './loopback-browser';
import { NodeTransport } from './node-transport';
import { PasteBackBrowser } from './paste-back-browser';
import { Terminal, UsageError } from './terminal';

interface Options {
  readonly authorizationUrl: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecretFile?: string;
  readonly redirectUrl: string;
  readonly scope?: string;
  readonly reuseTest: boolean;
  readonly waitMinutes: number;
  readonly details?: boolean;
  readonly json?: string;
  readonly html?: string;
}

const defaultRedirectUrl = 'http://127.0.0.1:8719/callback';

const help = `
What it does: requests that need no log-in, then at most ${logInsMax} log-ins in your browser with a test account. It derives how
Podium must call your server, and reports each mistake with the rule, what was sent and received, and the fix. Codes, tokens,
secrets and user data are not in the report. Grants of the check are used by nobody afterwards.

Before: make a client for the check at your test server, and register the redirect URL that the command prints. A redirect URL
on this machine is opened by the command itself. If your server does not allow one, give one that it allows with --redirect-url,
and paste the address to which your browser was sent.

Exit codes: 0 linking works and nothing is unsafe, 1 there is something to fix, 2 wrong usage, 3 the check did not
finish: a log-in did not come back, or the input or the reader of the output ended.

Examples:
  $ npx --no podium-partner link-check --authorization-url https://test.shop.example/authorize \\
      --base-url https://test.shop.example --client-id podium --client-secret-file secret.txt
  $ npx --no podium-partner link-check … --redirect-url https://test.shop.example/callback --html report.html`;

/** `link-check …`; `end` gets the exit code. */
export function linkCheckCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return new Command('link-check')
    .description("check your server's account linking against the specification")
    .requiredOption('--authorization-url <address>', 'your authorization page')
    .requiredOption('--base-url <address>', 'where /oauth2/token and /oauth2/userinfo are')
    .requiredOption('--client-id <id>', 'of the client that you made for the check')
    .option('--client-secret-file <file>', 'file with its secret, - for stdin; without it you are asked')
    .option('--redirect-url <address>', 'registered at your server for the client', defaultRedirectUrl)
    .option('--scope <scope>', 'scope to request, if your server needs one')
    .option(
      '--no-reuse-test',
      'do not send replaced refresh tokens and used codes, which may end grants of the account',
    )
    .option('--wait-minutes <minutes>', 'how long to wait for each log-in', parseMinutes, 10)
    .option('--details', 'print every request and answer too')
    .option('--json <file>', 'write the report as JSON')
    .option('--html <file>', 'write the report as a page')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const target = await targetOf(options, terminal);
      const report = await check(target, options, terminal);
      terminal.out(`\n${terminalReport(report, { details: options.details })}`);
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
      if (options.html !== undefined) writeFileSync(options.html, htmlReport(report));
      end(exitCodeOf(report));
    });
}

async function check(target: CheckTarget, options: Options, terminal: Terminal): Promise<CheckReport> {
  // Said before any request: the log-ins would end without one.
  if (!isLoopback(target.redirectUri) && !terminal.isInteractive)
    throw new UsageError('Addresses cannot be pasted here: use a terminal, or a redirect URL on this machine.');
  const transport = new NodeTransport();
  const waitMs = options.waitMinutes * 60_000;
  const browser = isLoopback(target.redirectUri)
    ? await LoopbackBrowser.listen(target.redirectUri, waitMs, terminal)
    : new PasteBackBrowser(target.redirectUri, terminal);
  terminal.out(`Redirect URL to register for this client at your server:\n  ${target.redirectUri}\n`);
  try {
    if (terminal.isInteractive) await terminal.ask('Press Enter when it is registered. ');
    return await runCheck(target, {
      transport,
      browser,
      nowMs: Date.now,
      isAccountInUse: async () => !options.reuseTest,
    });
  } finally {
    await browser.close();
    transport.close();
  }
}

async function targetOf(options: Options, terminal: Terminal): Promise<CheckTarget> {
  const clientSecret = await secretOf(options, terminal);
  if (clientSecret === '') throw new UsageError('The client secret is empty.');
  return {
    authorizationUrl: address('--authorization-url', options.authorizationUrl).href,
    baseUrl: address('--base-url', options.baseUrl).href.replace(/\/+$/, ''),
    clientId: options.clientId,
    clientSecret,
    redirectUri: address('--redirect-url', options.redirectUrl).href,
    scope: options.scope ?? null,
  };
}

async function secretOf({ clientSecretFile }: Options, terminal: Terminal): Promise<string> {
  if (clientSecretFile === '-') return (await terminal.readStdin()).trim();
  if (clientSecretFile === undefined) {
    if (terminal.isInteractive) return (await terminal.ask('Client secret: ', { isSecret: true })).trim();
    throw new UsageError('--client-secret-file is required where nobody can be asked.');
  }
  try {
    return readFileSync(clientSecretFile, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--client-secret-file ${clientSecretFile} cannot be read: ${(error as Error).message}`);
  }
}

function address(option: string, text: string): URL {
  try {
    const url = new URL(text);
    if (['http:', 'https:'].includes(url.protocol) && url.hash === '') return url;
  } catch {
    // Refused below.
  }
  throw new UsageError(`${option} ${text}: must be an absolute address with https, without #.`);
}

function parseMinutes(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new UsageError(`--wait-minutes ${text}: must be a whole number from 1 to 999.`);
  return Number(text);
}

function exitCodeOf({ verdict, findings }: CheckReport): number {
  if (verdict === 'not_finished') return 3;
  return verdict === 'links' && findings.every(({ severity }) => severity !== 'unsafe') ? 0 : 1;
}
