import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { approverToken, connectionTo } from './server-addresses';

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

  it('of the local stack is not sent to another address', () => {
    expect(() => approverToken({ url: 'https://podium.example' }, {})).toThrow(/No token/);
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
