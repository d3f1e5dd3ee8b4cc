import { openFolders } from '../tools/stack/folders';

jest.mock('../tools/stack/folders', () => ({
  ...jest.requireActual<object>('../tools/stack/folders'),
  openFolders: jest.fn(() => {
    throw new Error('a folder was opened');
  }),
}));

const variables = ['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS'];

/** Runs a program as `npm run` does, by its exported function or by its file alone, which reads process.argv. */
function run(file: string, exported: string | undefined, args: readonly string[]): void | Promise<never> {
  process.argv = ['node', file, ...args];
  const program = jest.requireActual<Record<string, (args: readonly string[]) => Promise<never>>>(file);
  if (exported !== undefined) return program[exported](args);
}

describe('a command with a stack of its own', () => {
  const { argv } = process;
  const given = variables.map((name) => process.env[name]);

  beforeEach(() => variables.forEach((name) => delete process.env[name]));
  afterAll(() => {
    process.argv = argv;
    for (const [at, name] of variables.entries()) if (given[at] !== undefined) process.env[name] = given[at];
  });

  it.each([
    ['check:sdk', './sdk/run', 'checkSdk'],
    ['inputs', './inputs/run', 'inputs'],
    ['faults', './faults/run', 'faults'],
    ['bench:ingest', '../bench/ingest/bench', undefined],
    ['bench:linking', '../bench/linking/bench', undefined],
    ['bench:reads', '../bench/reads/bench', undefined],
  ])('npm run %s starts nothing while the environment names servers of another stack', async (name, file, exported) => {
    for (const variable of variables) {
      process.env[variable] = 'elsewhere.invalid';
      await expect((async () => run(file, exported, []))()).rejects.toThrow(
        `npm run ${name} starts its own servers: unset DATABASE_URL, REDIS_URL and KAFKA_BROKERS.`,
      );
      delete process.env[variable];
    }
    expect(openFolders).not.toHaveBeenCalled();
  });

  it('npm run bench:reads -- --loaded needs the servers that have the worlds', async () => {
    process.env.DATABASE_URL = 'elsewhere.invalid';
    await expect((async () => run('../bench/reads/bench', undefined, ['--loaded']))()).rejects.toThrow(
      '--loaded needs the servers that have both worlds: set DATABASE_URL and KAFKA_BROKERS.',
    );
  });
});
