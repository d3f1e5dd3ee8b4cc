import { AddressInfo, Server, createServer } from 'node:net';
import { runPodium } from '../podium';
import { postgresError } from './server-errors';

jest.setTimeout(60_000);

/** A server that answers the first bytes of each connection, and its port. */
async function answering(answer: Buffer | string): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** An error of Postgres' protocol. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused here\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

async function failureOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  let err = '';
  const code = await runPodium(args, {
    env: { STACK_NAME: 'none', ...env },
    readStdin: async () => '',
    out: () => undefined,
    err: (text) => void (err += text),
  });
  expect(code).toBe(1);
  return err;
}

describe('a command that Postgres fails says what to do', () => {
  it.each([
    ['28P01', /^Postgres: refused here\nWhat to do: check user, password and database in DATABASE_URL\.\n$/],
    ['3D000', /^Postgres: refused here\nWhat to do: check user, password and database/],
    ['42501', /^Postgres: refused here\nWhat to do: give DATABASE_URL with the role that owns the schemas/],
    ['42P01', /^Postgres: refused here\nWhat to do: bring the schemas to this command's release: npm run migrate/],
    ['57P03', /^Postgres: refused here\nWhat to do: wait and try again/],
  ])('when it answers %s', async (code, said) => {
    const { server, port } = await answering(refusal(code));
    const DATABASE_URL = `postgres://podium:canary@127.0.0.1:${port}/podium`;
    expect(await failureOf(['replay', 'list'], { DATABASE_URL })).toMatch(said);
    await new Promise((resolve) => server.close(resolve));
  });

  it('unless the outbox is closed, which says so itself', async () => {
    const { server, port } = await answering(refusal('57PT1'));
    const DATABASE_URL = `postgres://podium:canary@127.0.0.1:${port}/podium`;
    expect(await failureOf(['replay', 'list'], { DATABASE_URL })).toBe('refused here\n');
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])('when TLS fails with %s', (code) => {
    const error = postgresError(Object.assign(new Error('no trust'), { code }));
    expect(error).toMatchObject({
      message: 'Postgres: no trust',
      remedy: 'check sslmode and sslrootcert in DATABASE_URL.',
    });
  });

  it('when it does not answer', async () => {
    const DATABASE_URL = 'postgres://podium:canary@127.0.0.1:1/podium';
    expect(await failureOf(['replay', 'list'], { DATABASE_URL })).toMatch(
      /^Postgres: .*connect ECONNREFUSED 127\.0\.0\.1:1\nWhat to do: check the address in DATABASE_URL/,
    );
  });
});

describe('a command that Kafka fails says what to do', () => {
  const reach = /^Kafka: .*\nWhat to do: check --brokers or KAFKA_BROKERS, and that Kafka runs/;

  it('when no broker answers', async () => {
    expect(await failureOf(['lag'], { KAFKA_BROKERS: '127.0.0.1:1' })).toMatch(reach);
  });

  it('when another server answers', async () => {
    const { server, port } = await answering('HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await failureOf(['lag'], { KAFKA_BROKERS: `127.0.0.1:${port}` })).toMatch(reach);
    await new Promise((resolve) => server.close(resolve));
  });
});
