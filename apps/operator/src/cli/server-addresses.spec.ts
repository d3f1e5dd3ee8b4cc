import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { approverToken, connectionTo, databaseAddress, gatewayAddress } from './server-addresses';

const stack = { gateway_url: 'http://127.0.0.1:7400', operator_token: 'operator', approver_token: 'approver' };

describe('the token of the second operator', () => {
  const before = process.cwd();
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-stack-'));

  beforeAll(() => {
    mkdirSync(path.join(folder, '.stack'));
    writeFileSync(path.join(folder, '.stack', 'stack.json'), JSON.stringify(stack));
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  it.each([
    [{}, {}, 'approver'],
    [{ token: 'own' }, {}, 'own'],
    [{}, { PODIUM_TOKEN: 'own' }, 'own'],
    [{ token: 'own' }, { PODIUM_APPROVER_TOKEN: 'second' }, 'second'],
    [{ approverToken: 'given' }, { PODIUM_APPROVER_TOKEN: 'second', PODIUM_TOKEN: 'own' }, 'given'],
    [{ url: 'https://podium.example', token: 'own' }, {}, 'own'],
    [{}, { PODIUM_APPROVER_TOKEN: '', PODIUM_TOKEN: 'own' }, 'own'],
  ])('with the options %j and the environment %j is %s', (options, env, token) => {
    expect(approverToken(options, env)).toBe(token);
  });

  it('of the local stack is sent to its address, also with a slash at the end', () => {
    expect(approverToken({ url: 'http://127.0.0.1:7400/' }, {})).toBe('approver');
  });

  it('of the local stack is not sent to another address', () => {
    expect(() => approverToken({ url: 'https://podium.example' }, {})).toThrow(/No token/);
  });
});

describe('what no request can carry', () => {
  const url = 'https://podium.example';

  it.each(['two words', 'a\nb', '“quoted”', 'tökén', '\ufeffa'])('is refused as a token: %j', (token) => {
    expect(() => gatewayAddress({ url, token }, {})).toThrow(/^The token in --token has a character/);
    expect(() => gatewayAddress({ url }, { PODIUM_TOKEN: token })).toThrow(/^The token in PODIUM_TOKEN has/);
    expect(() => approverToken({ url, token: 'own', approverToken: token }, {})).toThrow(/in --approver-token has/);
    expect(() => approverToken({ url, token: 'own' }, { PODIUM_APPROVER_TOKEN: token })).toThrow(/in PODIUM_APPROVER_/);
  });

  it('is refused as an address: one with a user', () => {
    expect(() => gatewayAddress({ url: 'https://me:secret@podium.example', token: 't' }, {})).toThrow(
      /^The address of the gateway must have no user and no password/,
    );
  });

  it('is not a line feed at the end of a token from a file', () => {
    expect(gatewayAddress({ url, token: ' token\r\n' }, {})).toEqual({ url, token: 'token' });
  });
});

describe('the brokers of Kafka', () => {
  it('are hosts with ports; blanks and empty ones are left out', () => {
    expect(connectionTo('one:9092, two:9093,', {}).brokers).toEqual(['one:9092', 'two:9093']);
  });

  it.each(['kafka', 'one:9092,two', 'one:port', 'http://one:9092', ','])('are refused as %j', (brokers) => {
    expect(() => connectionTo(brokers, {})).toThrow(/must be host:port/);
  });
});

describe('the address of Postgres', () => {
  it.each(['postgres://user:canary%e4b@postgres/podium', 'postgres://user:canary%@postgres/podium'])(
    'with a % that is not encoded is refused by the name of its variable, not its value: %s',
    (DATABASE_URL) => {
      const read = (): unknown => databaseAddress({ DATABASE_URL });
      expect(read).toThrow('DATABASE_URL must have a % in its user, password and database written as %25.');
    },
  );

  it.each(['postgres://us%25er:p%2Fw@postgres/podium?sslmode=verify-full', '/var/run/postgresql podium', ''])(
    'is otherwise left to its client: "%s"',
    (DATABASE_URL) => {
      expect(databaseAddress({ DATABASE_URL })).toBe(DATABASE_URL);
    },
  );
});
