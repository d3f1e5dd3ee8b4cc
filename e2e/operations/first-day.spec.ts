import { randomUUID } from 'node:crypto';
import { CommandsRun, PageCommands, commandsOf, runCommands, titleOf } from '../support/page-commands';
import { DemoStack, startDemoStack } from '../support/demo-stack';
import { PartnerApi, nowS } from '../support/partner-api';

jest.setTimeout(240_000);

const pages = ['first-day', 'rotate', 'scale'];
const blocks = pages.flatMap((name) => commandsOf(`docs/operations/${name}.md`));
const runnable = blocks.filter(({ notRun }) => notRun === undefined);

describe('commands of the operations pages on a running stack', () => {
  let demo: DemoStack;
  let variables: Record<string, string>;
  const runs = new Map<PageCommands, CommandsRun>();

  beforeAll(async () => {
    demo = await startDemoStack('first-day');
    const { description } = demo;
    variables = {
      PODIUM_URL: description.gateway_url,
      PODIUM_TOKEN: description.operator_token,
      PODIUM_HEALTH: Object.entries(description.services)
        .map(([name, { health_url }]) => `${name}=${health_url}`)
        .join(','),
      KAFKA_BROKERS: description.kafka_brokers,
      DATABASE_URL: description.database_url,
      PLATFORM: description.platform,
    };
    const keys = JSON.parse(await podium('keys', 'list', description.platform, '--json')) as { key_id: string }[];
    variables.KEY_ID = keys[0].key_id;
    // Data for the commands: an accepted event, and a refused one of an unlinked user.
    const partner = new PartnerApi(description.gateway_url, description.event_api_key, description.platform);
    const event = () => ({ id: randomUUID(), name: description.demo_task.send.name, created_at: nowS() });
    expect((await partner.send(description.linked_user.platform_user_id, event())).status).toBe(200);
    expect((await partner.send('nobody', event())).status).toBe(404);
    await until(async () => (await podium('refusals', 'list', '--platform', description.platform)).includes('nobody'));
  });

  afterAll(() => demo?.dispose());

  it.each(runnable.map((block) => [titleOf(block), block] as const))('%s', async (_title, block) => {
    const run = await runCommands(block, variables);
    runs.set(block, run);
    if (process.env.PODIUM_PAGE_OUTPUT) process.stdout.write(`--- ${titleOf(block)}\n${run.stdout}${run.stderr}`);
    expect({ ...run, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    if (block.output !== undefined) expect(heading(run.stdout)).toEqual(heading(block.output));
  });

  it('answers the questions of the first day', () => {
    const { platform, services } = demo.description;
    const status = printedBy('-- status');
    expect(status).not.toMatch(/attention|unknown/);
    for (const part of [...Object.keys(services), 'kafka', 'schema linkage', 'outbox engagement'])
      expect(status).toMatch(new RegExp(`^${part} +ok`, 'm'));
    expect(printedBy('-- partners')).toMatch(
      new RegExp(`^${platform} +active +healthy +0 .*user_not_linked \\d+ \\(\\d users?\\)`, 'm'),
    );
    expect(printedBy('-- refusals list')).toMatch(/user_not_linked +nobody +1 /);
    expect(printedBy('-- lag')).toMatch(/^engagement\.user-events +ingestion\.user-events\.v1 +1 +0 /m);
    expect(printedBy('-- integrations pause')).toBe(`${platform} is paused.\n`);
    expect(printedBy('-- integrations resume')).toBe(`${platform} is active.\n`);
    expect(printedBy('--dry-run')).toContain('nothing was changed');
    expect(printedBy('-- verify engagement')).toContain('Every event before the positions is in the inbox.');
  });

  it('gives a reason for each block that is not run', () => {
    for (const { notRun } of blocks.filter((block) => !runnable.includes(block))) expect(notRun).toMatch(/\w+ \w+/);
    expect(runnable.length).toBeGreaterThan(8);
  });

  /** The output of the first block that contains these words. */
  function printedBy(words: string): string {
    const run = [...runs].find(([{ script }]) => script.includes(words));
    if (!run) throw new Error(`no block was run with ${words}`);
    return run[1].stdout;
  }

  async function podium(...args: string[]): Promise<string> {
    return (await runCommands({ script: `npm run podium -- ${args.join(' ')}` }, variables)).stdout;
  }
});

/** The constant part of the first line: the column names of a table, otherwise the first word. */
function heading(output: string): string[] {
  const [first] = output.trim().split('\n');
  const all = first.split(/\s+/);
  return all.every((word) => /^[A-Z_]+$/.test(word)) ? all : all.slice(0, 1);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) if (Date.now() > end) throw new Error('the condition did not hold within 60 s');
}
