import { launchBrowser } from '@podium/testing/browser';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from 'playwright-core';
import { freePort } from '../../tools/stack/ports';
import { BackgroundCommand } from '../support/background-command';
import { copyCheckout, freePortBase } from '../support/checkout-copy';
import { StackDescription } from '../support/demo-stack';
import { CommandsRun, commandsOf, runCommands } from '../support/page-commands';

jest.setTimeout(600_000);

const page = 'docs/partner-server.md';

/**
 * Follows the page in a separate checkout, with some additional settings. The commands are those of the page, except for the
 * port of the partner's server, which may be in use here.
 */
describe("a partner's own server with npm start, following the page", () => {
  const blocks = commandsOf(page);
  let folder: string;
  let partnerPort: number;
  let stack: BackgroundCommand;
  let description: StackDescription;
  let server: BackgroundCommand;
  let browser: Browser;

  beforeAll(async () => {
    partnerPort = await freePort();
    folder = copyCheckout();
    const settings = [
      `PORT_BASE=${await freePortBase()}`,
      'PUBLIC_NAME=filed',
      'PUBLICNAME=canary-unknown',
      'VAULT_KEYS=canary-secret',
      'PARTNER_ADDRESS_ALLOW_LIST=shop.test:9000',
    ];
    fs.writeFileSync(path.join(folder, '.env'), `${settings.join('\n')}\n`);
    stack = new BackgroundCommand(scriptWith('npm start'), folder, {
      PUBLIC_NAME: 'acme',
      PUBLIC_URL: 'https://podium.example',
    });
    await stack.hasPrinted(/Podium runs/, 300_000);
    description = JSON.parse(fs.readFileSync(path.join(folder, '.stack/stack.json'), 'utf8')) as StackDescription;
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await stack?.stop();
    await runCommands({ script: 'npm run stack:reset' }, {}, 60_000, folder);
    fs.rmSync(folder, { recursive: true });
  });

  /** The block that contains these words, with the port of this test. */
  function scriptWith(words: string): string {
    const found = blocks.filter(({ script }) => script.includes(words));
    if (found.length !== 1) throw new Error(`${found.length} blocks of ${page} have ${JSON.stringify(words)}`);
    return found[0].script.replaceAll('9000', String(partnerPort));
  }

  async function run(words: string): Promise<CommandsRun> {
    const ended = await runCommands({ script: scriptWith(words) }, {}, 120_000, folder);
    expect({ ...ended, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    return ended;
  }

  /** The configuration that a service logged at its start. */
  function configOf(instance: string): Record<string, unknown> {
    const log = fs.readFileSync(path.join(folder, `.stack/logs/${instance}.log`), 'utf8');
    const starting = log.split('\n').find((line) => line.includes('"starting"')) ?? '{}';
    return (JSON.parse(starting) as { config: Record<string, unknown> }).config;
  }

  it('prints which settings reach which service, which are unused and why, and never a value', () => {
    for (const sentence of [
      'PARTNER_ADDRESS_ALLOW_LIST in .env goes to linkage, in addition to the entries of the stack.',
      'PUBLIC_NAME in the environment goes to competition-read.',
      'PUBLICNAME in .env is not a setting of Podium; did you mean PUBLIC_NAME?',
      'VAULT_KEYS in .env is not used, because the local stack makes its own secrets and keeps them in its folder: remove it.',
      'PUBLIC_URL in the environment is not used, because the local stack fills in where it starts its parts: remove it, or',
    ])
      expect(stack.output).toContain(sentence);
    expect(stack.output).not.toContain('canary');
  });

  it('passes settings to services, and keeps the sandbox in the address allow list', async () => {
    expect(configOf('linkage-1')).toMatchObject({
      PARTNER_ADDRESS_ALLOW_LIST: [
        ...[new URL(description.sandbox_url).host, '127.0.0.1:*', 'localhost:*', 'shop.test:9000'],
      ],
      PUBLIC_URL: description.gateway_url,
    });
    const { player } = description.competition;
    const found = await fetch(
      `${description.gateway_url}/data/v4/players?nickname=${encodeURIComponent(player.nickname)}`,
      { headers: { authorization: `Bearer ${description.data_api_key}` } },
    );
    expect({ status: found.status, body: await found.json() }).toMatchObject({
      status: 200,
      body: { acme_url: expect.any(String) as string },
    });
  });

  it('passes no settings to the services of a test, a fault run or a benchmark', async () => {
    const script = `
      const { openFolders } = require('./tools/stack/folders.ts');
      const { freePorts } = require('./tools/stack/ports.ts');
      const { RunningServices } = require('./tools/stack/running-services.ts');
      const { openSecrets } = require('./tools/stack/secrets.ts');
      const folders = openFolders();
      const addresses = require('./.stack/stack.json');
      RunningServices.start({ folders, addresses, secrets: openSecrets(folders), ports: freePorts,
        only: ['competition-read'], namePrefix: 'test-' }).then((services) => services.stop());`;
    const node = `node -r @swc-node/register -e "${script}"`;
    expect(await runCommands({ script: node }, { PUBLIC_NAME: 'acme' }, 120_000, folder)).toMatchObject({
      exitCode: 0,
    });
    expect(configOf('test-competition-read-1')).toMatchObject({ PUBLIC_NAME: 'platform' });
  });

  it('registers the partner', async () => {
    const made = (await run('partners init')).stdout;
    expect(made).toContain(`${description.gateway_url}/v1/oauth/callback/`);
    const { mode } = fs.statSync(path.join(folder, '.stack/partners/my-shop/partner.env'));
    expect(mode & 0o777).toBe(0o600);
    // The same call again repairs what is lost: the server gets another secret and key.
    expect((await run('partners init')).stdout).toContain('partner.env');
    expect((await run('tasks create')).stdout).toMatch(/^state +published/m);
    server = new BackgroundCommand(scriptWith('docs/examples/partner-server.mjs'), folder);
    await server.hasPrinted(/listens/, 30_000);
  });

  it('links a user through /connect, and the first event of the user is accepted', async () => {
    browser = await launchBrowser();
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(description.connect_url);
    await tab.getByRole('link', { name: 'Log in' }).click();
    await tab.getByLabel('User name').fill('page-reader');
    await tab.getByRole('button', { name: 'Log in' }).click();
    const opened = tab.waitForEvent('popup');
    await tab.getByRole('button', { name: 'Connect: My Shop' }).click();
    const popup = await opened;
    await popup.getByLabel('Name').fill('ada');
    await popup.getByRole('button', { name: 'Log in' }).click();
    await tab.getByRole('listitem').getByText('ada').waitFor();
    const [, firstLine] = /```text\n(.+)\n```/.exec(fs.readFileSync(path.join(folder, page), 'utf8'))!;
    await server.hasPrinted(new RegExp(firstLine.replaceAll(/[{}[\]()+.]/g, '\\$&')), 150_000);
  });

  it('sends an event that is awarded', async () => {
    expect((await run('/deposit')).stdout).toMatch(/^\{"sent":"[0-9a-f-]{36}"\}/);
    const isAwarded = /bonus_money 5\.00 EUR/;
    let awards = '';
    for (const end = Date.now() + 60_000; !isAwarded.test(awards) && Date.now() < end; await sleep(500))
      awards = (await run('awards list')).stdout;
    expect(awards).toMatch(isAwarded);
  });

  it('pays that award with the example bonus engine, started by the command that npm start printed', async () => {
    const [, printed] = /^Pay the awards .+:\n((?: {2}.+\n)+)/m.exec(stack.output) ?? [];
    expect(printed).toContain(`KAFKA_BROKERS=${description.kafka_brokers}`);
    // The engine runs until it is stopped. `env` takes the assignments, so that the command works after the shell's exec.
    const engine = new BackgroundCommand(`env ${printed.trim()}`, folder);
    await engine.hasPrinted(/^Waiting for awards/m, 60_000);
    await engine.hasPrinted(/^Paid 5\.00 EUR: page-reader \(award /m, 60_000);
    expect(await engine.stop()).toBe(0);
    const isConfirmed = /confirmed/;
    let awards = '';
    for (const end = Date.now() + 60_000; !isConfirmed.test(awards) && Date.now() < end; await sleep(500))
      awards = (await run('awards list')).stdout;
    expect(awards).toMatch(isConfirmed);
  });

  it('passes the check of its server, whose profile is applied', async () => {
    const check = new BackgroundCommand(scriptWith('integrations check'), folder);
    const tab = await (await browser.newContext()).newPage();
    for (let logIn = 1; !check.output.includes('apply-check'); logIn++) {
      await check.hasPrinted(new RegExp(`Log-in ${logIn}: |apply-check`), 60_000);
      const [, url] = new RegExp(`Log-in ${logIn}: .*\\n +(\\S+)`).exec(check.output) ?? [];
      if (url === undefined) break;
      await tab.goto(url);
      await tab.getByLabel('Name').fill('grace');
      await tab.getByRole('button', { name: 'Log in' }).click();
      await tab.getByText('The log-in has arrived').waitFor();
    }
    const apply = /npm run podium -- integrations apply-check my-shop \S+/;
    await check.hasPrinted(apply, 60_000);
    const [script] = apply.exec(check.output)!;
    expect(await runCommands({ script }, {}, 60_000, folder)).toMatchObject({ exitCode: 0 });
  });

  it('runs every block of the page', () => {
    expect(blocks).toHaveLength(7);
    for (const { notRun } of blocks) expect(notRun ?? 'the test starts it').toContain('the test starts it');
  });

  it('stops without open handles in any service', async () => {
    expect(await stack.stop()).toBe(0);
    const logs = fs.readdirSync(path.join(folder, '.stack/logs')).filter((name) => /-1\.log$/.test(name));
    expect(logs.length).toBeGreaterThan(5);
    for (const name of logs.filter((each) => !/^(kafka|postgres|redis)/.test(each))) {
      const log = fs.readFileSync(path.join(folder, '.stack/logs', name), 'utf8');
      expect([name, /"clean":(true|false)/.exec(log)?.[1], /"left_open":\{[^}]*\}/.exec(log)?.[0]]).toEqual([
        name,
        'true',
        undefined,
      ]);
    }
  });
});
