import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import operators from '../../../../docs/openapi/operators.json';
import { runPodium } from '../podium';

const id = '0190a6f0-0000-7000-8000-000000000001';
const other = '0190a6f0-0000-7000-8000-00000000000a';
const dates = ['--from', '2026-10-01T00:00:00Z', '--to', '2026-11-01T00:00:00Z'];
const rate = ['acme-prizes', '2026-11-04', 'USD', 'EUR', '0.9217'];

/** The command that calls each operation on segments, tasks, awards, rates and users. */
const commands: Readonly<Record<string, readonly string[]>> = {
  ...ofKind('segment', 'Segment'),
  ...ofKind('task', 'Task'),
  listMembers: ['segments', 'members', id],
  exportMembers: ['segments', 'members-export', id],
  orderPreview: ['segments', 'preview', id, '--no-wait'],
  listPreviews: ['segments', 'previews', id],
  getPreview: ['segments', 'preview-show', id, other],
  listPreviewCapped: ['segments', 'preview-capped', id, other],
  cancelPreview: ['segments', 'preview-cancel', id, other],
  listProgress: ['tasks', 'progress', id],
  exportProgress: ['tasks', 'progress-export', id],
  listTaskAwards: ['tasks', 'awards', id],
  exportTaskAwards: ['tasks', 'awards-export', id],
  orderDryRun: ['tasks', 'dry-run', id, ...dates, '--no-wait'],
  listDryRuns: ['tasks', 'dry-runs', id],
  getDryRun: ['tasks', 'dry-run-show', id, other],
  listDryRunAwards: ['tasks', 'dry-run-awards', id, other],
  exportDryRunAwards: ['tasks', 'dry-run-awards-export', id, other],
  listDryRunCapped: ['tasks', 'dry-run-capped', id, other],
  cancelDryRun: ['tasks', 'dry-run-cancel', id, other],
  listUnissued: ['tasks', 'unissued', 'list', id],
  payUnissued: ['tasks', 'unissued', 'pay', id, '1'],
  refuseUnissued: ['tasks', 'unissued', 'refuse', id, '1'],
  getTaskBudget: ['tasks', 'budget', id],
  raiseBudget: ['tasks', 'raise-budget', id, '20000'],
  listAwards: ['awards', 'list'],
  listRates: ['rates', 'list'],
  giveRates: ['rates', 'give', ...rate],
  approveRates: ['rates', 'approve', ...rate],
  listRatesAudit: ['rates', 'audit', 'acme-prizes'],
  getUser: ['users', 'show', 'acme-bets', 'user-17'],
};

function ofKind(kind: string, name: string): Record<string, readonly string[]> {
  const group = `${kind}s`;
  return {
    [`create${name}`]: [group, 'create', '--file', '-'],
    [`list${name}s`]: [group, 'list'],
    [`get${name}`]: [group, 'show', id],
    [`add${name}Version`]: [group, 'revise', id, '--file', '-'],
    [`publish${name}`]: [group, 'publish', id],
    [`pause${name}`]: [group, 'pause', id],
    [`resume${name}`]: [group, 'resume', id],
    [`end${name}`]: [group, 'end', id],
    [`explain${name}`]: [group, 'explain', id, '--user', 'user-17'],
    [`list${name}Audit`]: [group, 'audit', id],
    [`get${name}Backfill`]: [group, 'backfill', 'show', id],
    [`pause${name}Backfill`]: [group, 'backfill', 'pause', id],
    [`resume${name}Backfill`]: [group, 'backfill', 'resume', id],
  };
}

/** Has what every command reads of its answer. */
const answer = JSON.stringify({
  items: [],
  next_cursor: null,
  cursor: 'c',
  comparisons: [],
  occurrences: [],
  awards: [],
  sample: [],
  versions: [],
});

describe('operations on segments, tasks, awards, rates and users', () => {
  const operations = documentedOperations();
  let server: Server;
  let asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method?.toLowerCase()} ${request.url?.split('?')[0]}`);
      response.setHeader('content-type', 'application/json').end(`${answer}\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => void (asked = []));

  it('have a command each', () => {
    expect(Object.keys(commands).sort()).toEqual([...operations.keys()].sort());
  });

  it.each(Object.entries(commands))('%s is called by %j', async (operation, command) => {
    let err = '';
    const code = await runPodium(command, {
      env: { PODIUM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PODIUM_TOKEN: 'token' },
      readStdin: async () => '{}',
      out: () => undefined,
      err: (text) => (err += text),
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(asked).toEqual([expect.stringMatching(operations.get(operation)!)]);
  });
});

/** The requests of operations by their ids. */
function documentedOperations(): Map<string, RegExp> {
  const paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>> = operators.paths;
  const ofEngine = Object.keys(paths).filter((each) =>
    /^\/admin\/v1\/(segments|tasks|awards|rates|users)\b/.test(each),
  );
  return new Map(
    ofEngine.flatMap((each) =>
      Object.entries(paths[each]).map(([method, { operationId }]): [string, RegExp] => [
        operationId,
        new RegExp(`^${method} ${each.replace(/\{\w+\}/g, '[^/]+')}$`),
      ]),
    ),
  );
}
