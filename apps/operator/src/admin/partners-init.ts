import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseUrl } from '@podium/runtime/url';
import { Command } from 'commander';
import { Api, connect } from '../cli/admin-api';
import { CliEnvironment } from '../cli/cli-environment';
import { outputOf, readObject } from '../cli/command-context';
import { gatewayAddress } from '../cli/server-addresses';
import { UsageError } from '../cli/usage-error';
import { untilInForce, Version } from './contracts';

interface Options {
  readonly name?: string;
  readonly organizer?: string;
  readonly authorizationUrl?: string;
  readonly contract?: string;
  readonly out?: string;
}

/** What partners of all kinds agree on first (specification, Events); a contract of one's own replaces it. */
const contractTemplate = {
  events: [
    { name: 'registration', kind: 'one_off', attributes: [] },
    { name: 'kyc_status', kind: 'one_off', attributes: [{ name: 'status', type: 'string' }] },
    ...['deposit', 'bet', 'trade'].map((name) => ({
      ...{ name, kind: 'repeatable' },
      attributes: [
        { name: 'amount', type: 'decimal' },
        { name: 'currency', type: 'currency' },
      ],
    })),
  ],
};
const inForceWaitMs = 60_000;
const settingsFile = 'partner.env';

const help = `
What it does: makes the integration of a partner, publishes a contract (registration, kyc_status, deposit, bet, trade, or that of
--contract), makes an event key, and writes what the partner's server needs to partner.env, which only you can read. When it has failed
half way, or the file is lost, the same call again makes another client secret and key.

--url is the address of the partner's server here. Podium's own is that of the local stack, or PODIUM_URL. Plain http and addresses of
this machine are accepted by a local stack (npm start) only.

Examples:
  $ npm run podium -- partners init my-shop --url http://127.0.0.1:9000
  $ npm run podium -- partners init my-shop --url http://127.0.0.1:9000 --contract contract.json`;

/** `partners init` */
export function partnersInitCommand(environment: CliEnvironment): Command {
  return (
    new Command('init')
      .argument('<platform>', 'name that the partner sends with every event')
      .description('make integration, contract, event key and the settings of a partner server')
      // The program's own --url takes the value; declared here for the help.
      .option('--url <address>', "address of the partner's server")
      .option('--name <text>', 'name shown to users; default: the platform')
      .option('--organizer <id>', 'who is responsible for prizes; default: <platform>-prizes')
      .option('--authorization-url <address>', "the partner's authorization page; default: /authorize of --url")
      .option('--contract <json>', 'a contract instead of the template, - for stdin')
      .option('--out <folder>', 'where partner.env is written; default: .stack/partners/<platform>')
      .addHelpText('after', help)
      .action(async (platform: string, options: Options, command: Command) => {
        const { url: server, token } = command.optsWithGlobals<{ url?: string; token?: string }>();
        if (server === undefined || !parseUrl(server))
          throw new UsageError("--url must be the address of the partner's server, such as http://127.0.0.1:9000.");
        const contract =
          options.contract === undefined ? contractTemplate : await readObject(options.contract, environment);
        const api = connect({ token }, environment.env);
        const output = outputOf(command, environment);
        const folder = options.out ?? path.join('.stack', 'partners', platform);
        // Before anything is made: a key is shown once, and an integration has two at most.
        requireWritable(folder);
        const made = await madeIntegration(api, platform, server.replace(/\/+$/, ''), options);
        output.note(`The integration ${platform} is there, for the server at ${server}.`);
        output.note(await publish(api, { id: made.id, platform, isGiven: options.contract !== undefined }, contract));
        // Before the secret: with two live keys this is refused, and the secrets that the server has must stay.
        const key = await api.call('POST', `/integrations/${made.id}/keys`, {});
        const integration = await withSecret(api, made);
        const gateway = gatewayAddress({ token }, environment.env).url;
        const settings = settingsOf(server, platform, integration, String(key.key), gateway);
        const file = writeSettings(folder, settings);
        const { REDIRECT_URL: redirect_url, SEND_EVENT_URL: send_event_url } = settings;
        if (command.optsWithGlobals<{ json?: boolean }>().json)
          output.show({ platform, integration_id: integration.id, settings: file, redirect_url, send_event_url });
        output.note(nextSteps(platform, file, settings, gateway));
      })
  );
}

interface Integration {
  readonly id: string;
  readonly clientSecret: string;
  readonly onboarding: Readonly<Record<'test' | 'production', { redirect_url: string; send_event_url: string }>>;
}

/** An integration; `clientSecret` is null when it was there already. */
interface MadeIntegration {
  readonly id: string;
  readonly clientSecret: string | null;
  readonly reply: Record<string, unknown>;
}

/** The partner's integration; throws UsageError when one with this name is there and differs from what is given. */
async function madeIntegration(
  api: Api,
  platform: string,
  baseUrl: string,
  options: Options,
): Promise<MadeIntegration> {
  const all = await api.list('/integrations', {}, Infinity);
  const found = all.find((each) => each.platform === platform);
  if (found && found.base_url !== baseUrl)
    throw new UsageError(
      `${platform} exists already, for ${String(found.base_url)}: take another name, or see integrations update --help.`,
    );
  if (found) {
    const given = {
      organizer_id: options.organizer,
      display_name: options.name,
      authorization_url: options.authorizationUrl,
    };
    for (const [field, value] of Object.entries(given))
      if (value !== undefined && value !== found[field])
        throw new UsageError(
          `${platform} exists already, with ${field} ${String(found[field])}: see integrations update --help to change it.`,
        );
    return { id: String(found.integration_id), clientSecret: null, reply: found };
  }
  const name = options.name ?? platform;
  const clientSecret = randomBytes(24).toString('base64url');
  const body = {
    ...{ platform, partner: name, organizer_id: options.organizer ?? `${platform}-prizes`, display_name: name },
    ...{ authorization_url: options.authorizationUrl ?? `${baseUrl}/authorize`, base_url: baseUrl },
    client_id: 'podium',
  };
  const reply = await api.call('POST', '/integrations', { ...body, client_secret: clientSecret });
  return { id: String(reply.integration_id), clientSecret, reply };
}

/** The integration with a client secret of this call. */
async function withSecret(api: Api, made: MadeIntegration): Promise<Integration> {
  const clientSecret = made.clientSecret ?? randomBytes(24).toString('base64url');
  const reply = made.clientSecret
    ? made.reply
    : await api.call('PATCH', `/integrations/${made.id}`, { client_secret: clientSecret });
  return { id: made.id, clientSecret, onboarding: reply.onboarding as Integration['onboarding'] };
}

/** Publishes a first version; one that is there stays. Returns a line on what is in force. Throws `conflict` if another came meanwhile. */
async function publish(
  api: Api,
  { id, platform, isGiven }: { readonly id: string; readonly platform: string; readonly isGiven: boolean },
  contract: object,
): Promise<string> {
  const [newest] = (await api.list(`/integrations/${id}/contracts`, {}, 1)) as Version[];
  const first = { ...contract, expected_version: 0 };
  const published = newest ?? ((await api.call('POST', `/integrations/${id}/contracts`, first)) as Version);
  const version = await untilInForce(api, id, published, inForceWaitMs);
  if (version.in_force_at === null)
    return `Its contract is published, but not in force everywhere yet: contracts show ${platform} says when (in_force_at).`;
  if (newest && isGiven)
    return `Version ${newest.version} of its contract is in force, as it was: contracts publish ${platform} replaces it.`;
  return 'Its contract is in force.';
}

/** The settings of the example server (docs/examples/partner-server.mjs). */
function settingsOf(
  server: string,
  platform: string,
  { onboarding, clientSecret }: Integration,
  eventKey: string,
  gateway: string,
): Record<'PORT' | 'REDIRECT_URL' | 'SEND_EVENT_URL', string> & Record<string, string> {
  const { protocol, port } = new URL(server);
  const own = onboarding.production.send_event_url.startsWith(`${gateway}/`) ? onboarding.production : onboarding.test;
  return {
    PORT: port || (protocol === 'https:' ? '443' : '80'),
    PLATFORM: platform,
    CLIENT_ID: 'podium',
    CLIENT_SECRET: clientSecret,
    REDIRECT_URL: own.redirect_url,
    SEND_EVENT_URL: own.send_event_url,
    EVENT_API_KEY: eventKey,
  };
}

/** Makes the folder of the settings; throws `UsageError` when no file can be made there. The rights of a folder alone do not say so. */
function requireWritable(folder: string): void {
  const file = path.join(folder, settingsFile);
  const trial = `${file}.${process.pid}`;
  try {
    makeFolder(folder);
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${file} is a folder`);
    fs.writeFileSync(trial, '', { mode: 0o600 });
    fs.rmSync(trial);
  } catch (error) {
    throw new UsageError(`${folder} cannot be written: ${(error as Error).message}; give another folder by --out.`);
  }
}

/** Node's own recursive form never ends where the system makes no folder, as in /proc. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(path.resolve(folder)));
  fs.mkdirSync(folder, { mode: 0o700 });
}

function writeSettings(folder: string, settings: Readonly<Record<string, string>>): string {
  const file = path.join(folder, settingsFile);
  fs.rmSync(file, { force: true });
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  fs.writeFileSync(file, lines.join(''), { mode: 0o600, flag: 'wx' });
  return file;
}

function nextSteps(
  platform: string,
  file: string,
  { REDIRECT_URL: redirectUrl, SEND_EVENT_URL: sendUrl }: Readonly<Record<string, string>>,
  gateway: string,
): string {
  return `The settings of its server, with client secret and event key, are in ${file}.

Redirect URL to register at the server: ${redirectUrl}
Address for events: ${sendUrl}

Next:
  node --env-file=${file} docs/examples/partner-server.mjs   # a sample; your own server takes its place
  npm run podium -- integrations check ${platform}   # what the server does wrong, by log-ins in a browser
  ${gateway}/connect   # link a user
  npm run podium -- partners   # refused events, with their reasons`;
}
