import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { DemoStack } from '../support/demo-stack';
import { siteCommands } from '../support/site-commands';

/** Tests of what a developer does who has only /docs: the commands of its pages on SDKs and linking, in an empty folder. */
export function describeFirstEvent(demoOf: () => DemoStack): void {
  describe('the page on SDKs', () => {
    const folders: string[] = [];
    let page: string;

    beforeAll(async () => {
      page = await (await fetch(`${demoOf().description.gateway_url}/docs/sdk`)).text();
    });
    afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

    it.each([
      ['TypeScript', 'npm install'],
      ['Python', 'pip install'],
    ])('leads to an accepted event with the SDK for %s in at most five commands', async (_, install) => {
      const { event_api_key, platform, linked_user } = demoOf().description;
      const commands = siteCommands(page).find((block) => block.includes(install)) ?? '';
      expect(commands.trim().split('\n').length).toBeLessThanOrEqual(5);
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'first-event-'));
      folders.push(folder);
      const script = commands
        .replace('your-event-key', event_api_key)
        .replace('your-platform-name', platform)
        .replace('user-1', linked_user.platform_user_id);
      const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder, timeout: 120_000 });
      expect(stdout).toContain('accepted');
      expect(stdout).not.toContain('duplicate');
    });

    it('and the one on linking has the check of account linking installed from here', async () => {
      const linking = await (await fetch(`${demoOf().description.gateway_url}/docs/linking`)).text();
      const commands = siteCommands(linking).find((block) => block.includes('link-check')) ?? '';
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'link-check-'));
      folders.push(folder);
      // The check itself needs a partner and a browser: see libs/partner-check.
      const script = commands.replace(/ link-check [^]*/, ' link-check --help');
      expect(script).toMatch(/^npm install .+\nnpx --no podium-partner link-check --help$/);
      const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder, timeout: 120_000 });
      expect(stdout).toContain('--client-secret-file');
    });

    it('names archives whose checksums are right', async () => {
      const { gateway_url } = demoOf().description;
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'archives-'));
      folders.push(folder);
      const address = `${gateway_url}/docs/sdk/`;
      const sums = await (await fetch(`${address}sha256sums.txt`)).text();
      const names = sums.match(/\S+(?=\n)/g) ?? [];
      expect(names).toHaveLength(5);
      fs.writeFileSync(path.join(folder, 'sha256sums.txt'), sums);
      for (const name of names) {
        fs.writeFileSync(path.join(folder, name), Buffer.from(await (await fetch(address + name)).arrayBuffer()));
        expect(page).toContain(`href="/docs/sdk/${name}"`);
      }
      await promisify(execFile)('sha256sum', ['--check', '--strict', 'sha256sums.txt'], { cwd: folder });
    });
  });
}
