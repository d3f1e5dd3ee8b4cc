import { runbooksFolder } from '../../../k8s/tooling/runbooks/runbook';
import { runPodium } from '../../../apps/operator/src/podium';
import { DemoStack } from '../../support/demo-stack';
import { commandsOf, pagesIn } from '../../support/page-commands';

const blocks = pagesIn(runbooksFolder).flatMap(commandsOf);
const commands = blocks
  .filter(({ notRun }) => notRun === undefined)
  .flatMap(({ page, script }) => linesOf(page, script));
// Many pages start with the same commands; each is run once.
const unique = [...new Map(commands.map((command) => [command.line, command])).values()];

/** Commands that only read; they expect a demo in which nothing has failed. */
export function describeRunbookCommands(demoOf: () => DemoStack): void {
  describe('commands of the runbooks', () => {
    let variables: Record<string, string>;

    beforeAll(() => {
      const stack = demoOf().description;
      variables = {
        PODIUM_URL: stack.gateway_url,
        PODIUM_TOKEN: stack.operator_token,
        PODIUM_HEALTH: Object.entries(stack.services)
          .map(([name, { health_url }]) => `${name}=${health_url}`)
          .join(),
        KAFKA_BROKERS: stack.kafka_brokers,
        DATABASE_URL: stack.database_url,
        PLATFORM: stack.platform,
        GROUP: 'engagement.user-events',
        USER_ID: stack.linked_user.user_id,
      };
    });

    it.each(unique)('$line ($page)', async ({ line }) => {
      expect(line).toMatch(/^npm run podium -- /);
      const args = line.split(/\s+/).slice(4);
      let out = '';
      let err = '';
      const exitCode = await runPodium(
        args.map((arg) => filledIn(arg, variables)),
        {
          env: variables,
          readStdin: () => Promise.resolve(''),
          out: (text) => void (out += text),
          err: (text) => void (err += text),
        },
      );
      expect({ exitCode, err, out: exitCode === 0 ? '' : out }).toEqual({ exitCode: 0, err: '', out: '' });
      expect(out).not.toBe('');
    });

    it('exist on every page, and those that are not run give a reason', () => {
      expect(new Set(blocks.map(({ page }) => page)).size).toBe(pagesIn(runbooksFolder).length);
      expect(unique.length).toBeGreaterThan(20);
      for (const { notRun } of blocks) expect(notRun).not.toBe('');
    });
  });
}

/** The commands of a block, with continuation lines joined. */
function linesOf(page: string, script: string): { page: string; line: string }[] {
  return script
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ page: page.split('/').at(-1) ?? page, line: line.trim() }));
}

function filledIn(arg: string, variables: Readonly<Record<string, string>>): string {
  return arg.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    if (!(name in variables)) throw new Error(`the test has no value for $${name}`);
    return variables[name];
  });
}
