import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { FreshDatabase, freshDatabase, localStack } from '@podium/testing';
import { checkoutFolder } from '../../../../tools/stack/folders';
import { freePort } from '../../../../tools/stack/ports';
import { serviceEnvironment } from '../../../../tools/stack/service-env';
import { services } from '../../../../tools/stack/services';
import { databaseRoles } from '../../../../tools/stack/secrets';
import { MigrateProcess } from '../../test/migrate-process';

jest.setTimeout(180_000);

const key = (fill: number): string => `key-${fill}:${Buffer.alloc(32, fill).toString('base64')}`;
const secrets = {
  postgresPassword: '',
  rolePasswords: { linkage: '', ingestion: '', engagement: '', 'competition-read': '' },
  internalToken: 'an-internal-token-of-a-test',
  oidcClientSecret: 'secret',
  vaultKeys: key(1),
  sessionKeys: key(2),
};

describe('a service', () => {
  let empty: FreshDatabase;
  let older: FreshDatabase;
  const newest = new Map<string, string>();

  beforeAll(async () => {
    [empty, older] = [await freshDatabase(), await freshDatabase()];
    expect(await new MigrateProcess(older.url).ended).toMatchObject({ code: 0 });
    const client = new Client({ connectionString: older.url });
    await client.connect();
    for (const app of databaseRoles) {
      const schema = schemaOf(app);
      const { rows } = await client.query<{ name: string }>(
        `DELETE FROM ${schema}.migrations WHERE id = (SELECT max(id) FROM ${schema}.migrations) RETURNING name`,
      );
      newest.set(app, rows[0].name);
    }
    await client.end();
  });

  afterAll(async () => {
    await empty?.drop();
    await older?.drop();
  });

  it.each(databaseRoles)('%s is not ready on an older schema, ends, and names the missing migration', async (app) => {
    const { code, output, wasReady } = await runOn(app, older.url);
    expect({ code, wasReady }).toEqual({ code: 1, wasReady: false });
    expect(output).toContain(
      `schema ${schemaOf(app)} lacks ${newest.get(app)}: run the migrations of this release first`,
    );
  });

  it('does the same on an empty database', async () => {
    const { code, output } = await runOn('ingestion', empty.url);
    expect(code).toBe(1);
    expect(output).toMatch(/schema ingestion lacks CreateLinks\d+, .*: run the migrations of this release first/);
  });
});

function schemaOf(app: string): string {
  return app.replaceAll('-', '_');
}

/** Runs a service from its sources until it ends by itself. */
async function runOn(
  app: string,
  databaseUrl: string,
): Promise<{ code: number | null; output: string; wasReady: boolean }> {
  const row = services.find(({ name }) => name === app);
  if (!row) throw new Error(`there is no app ${app}`);
  const { redisUrl, kafkaBrokers } = localStack();
  const [port, healthPort] = [await freePort(), await freePort()];
  const env = serviceEnvironment(
    row,
    { name: `${app}-older`, host: '127.0.0.1', port, healthPort },
    {
      addresses: { database_url: databaseUrl, redis_url: redisUrl, kafka_brokers: kafkaBrokers.join(',') },
      secrets,
      urls: { gateway: ['http://127.0.0.1:1'], sandbox: ['http://127.0.0.1:1'] },
      dataFolder: '',
    },
  );
  const child = spawn(process.execPath, ['-r', '@swc-node/register', `apps/${app}/src/main.ts`], {
    cwd: checkoutFolder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const end = once(child, 'exit');
  let wasReady = false;
  while (child.exitCode === null && child.signalCode === null && !wasReady) {
    wasReady = await fetch(`http://127.0.0.1:${healthPort}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    await sleep(50);
  }
  if (wasReady) child.kill('SIGKILL');
  const [code] = (await end) as [number | null];
  return { code, output: (await outputs).join(''), wasReady };
}
