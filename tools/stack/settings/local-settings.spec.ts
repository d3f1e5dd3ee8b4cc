import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { fieldsOf } from './service-fields';
import { GivenSetting } from './given-settings';
import { openLocalSettings } from './local-settings';
import { withSettings } from './with-settings';

describe('settings of the user for the local stack', () => {
  let folder: string;

  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'podium-settings-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const open = (dotEnv: string, env: NodeJS.ProcessEnv = {}) => {
    fs.writeFileSync(path.join(folder, '.env'), dotEnv);
    return openLocalSettings(env, folder);
  };
  const given = (name: string, value: string): GivenSetting => ({ name, value, source: '.env' });

  it('go to the services that declare them, from .env and from the environment, which wins', () => {
    const { forServices, notices } = open('PUBLIC_NAME=filed\nDATABASE_POOL_SIZE=7\n', { PUBLIC_NAME: 'acme' });
    expect(forServices).toEqual([
      { name: 'DATABASE_POOL_SIZE', value: '7', source: '.env' },
      { name: 'PUBLIC_NAME', value: 'acme', source: 'the environment' },
    ]);
    expect(notices).toEqual([
      'DATABASE_POOL_SIZE in .env goes to linkage, competition-read, ingestion, engagement.',
      'PUBLIC_NAME in the environment goes to competition-read.',
    ]);
    expect(withSettings('competition-read', { HTTP_PORT: '1' }, forServices)).toEqual({
      HTTP_PORT: '1',
      PUBLIC_NAME: 'acme',
      DATABASE_POOL_SIZE: '7',
    });
    expect(withSettings('gateway', {}, forServices)).toEqual({});
  });

  it('override defaults of the stack, and are added to its lists', () => {
    const own = { LOG_LEVEL: 'info', PARTNER_ADDRESS_ALLOW_LIST: '127.0.0.1:7405' };
    const settings = [
      given('LOG_LEVEL', 'debug'),
      given('PARTNER_ADDRESS_ALLOW_LIST', 'localhost:9000, 127.0.0.1:7405'),
    ];
    expect(withSettings('linkage', own, settings)).toEqual({
      LOG_LEVEL: 'debug',
      PARTNER_ADDRESS_ALLOW_LIST: '127.0.0.1:7405,localhost:9000',
    });
    expect(open('PARTNER_ADDRESS_ALLOW_LIST=localhost:9000\n').notices).toEqual([
      'PARTNER_ADDRESS_ALLOW_LIST in .env goes to linkage, in addition to the entries of the stack.',
    ]);
  });

  it.each([
    ['PUBLIC_URL', 'https://podium.example', 'or move all ports by PORT_BASE'],
    ['HTTP_PORT', '8080', 'or move all ports by PORT_BASE'],
    ['INGESTION_URLS', 'http://127.0.0.1:1', 'or move all ports by PORT_BASE'],
    ['VAULT_KEYS', 'canary', 'makes its own secrets'],
    ['INTERNAL_TOKEN_FILE', '/canary', 'makes its own secrets'],
    ['ENVIRONMENT', 'production', 'always a test deployment'],
    ['SERVICE_INSTANCE', 'canary', 'sets it itself'],
    ['MARKS_REDIS_URL', 'redis://canary:1', 'or name another one by REDIS_URL'],
    ['KAFKA_USERNAME', 'canary', 'or name other brokers by KAFKA_BROKERS'],
  ])('that the stack fixes are refused with the reason and what to do: %s', (name, value, words) => {
    for (const [source, settings] of [
      ['.env', open(`${name}=${value}\n`)],
      ['the environment', open('', { [name]: value })],
    ] as const) {
      expect(settings.forServices).toEqual([]);
      expect(settings.notices).toEqual([expect.stringContaining(`${name} in ${source} is not used, because `)]);
      expect(settings.notices[0]).toContain(words);
      expect(settings.notices[0]).not.toContain('canary');
    }
  });

  it('that equal the values of the stack do not contradict them', () => {
    const text = 'ENVIRONMENT=test\nHTTP_HOST=127.0.0.1\nPUBLIC_URL=http://127.0.0.1:7600\nPORT_BASE=7600\n';
    expect(open(text)).toMatchObject({ notices: [], forServices: [], environment: { PORT_BASE: '7600' } });
  });

  it('of the stack itself and of other brokers are read from .env too', () => {
    const text =
      'STACK_NAME=second\nKAFKA_BROKERS=broker:9092\nKAFKA_USERNAME=me\nDATABASE_URL=postgres://u:canary@h/d\n';
    const { environment, forServices, notices } = open(text, { STACK_NAME: 'third', PATH: '/bin' });
    expect(environment).toEqual({
      STACK_NAME: 'third',
      KAFKA_BROKERS: 'broker:9092',
      KAFKA_USERNAME: 'me',
      DATABASE_URL: 'postgres://u:canary@h/d',
      PATH: '/bin',
    });
    expect(forServices.map(({ name }) => name)).toEqual(['KAFKA_USERNAME']);
    expect(notices.join()).not.toContain('canary');
  });

  it('with an unknown name are reported with the nearest one, but not from the environment', () => {
    expect(open('PUBLICNAME=x\nSOMETHING_ELSE=y\n', { PUBLIC_NAMES: 'z' }).notices).toEqual([
      'PUBLICNAME in .env is not a setting of Podium; did you mean PUBLIC_NAME?',
      'SOMETHING_ELSE in .env is not a setting of Podium: .env.example lists all.',
    ]);
  });

  it.each([
    ['DATABASE_POOL_SIZE=many', /^DATABASE_POOL_SIZE in \.env must be a whole number from 1 to 200 connections/],
    ['PUBLIC_NAME=Acme!', /^PUBLIC_NAME in \.env must be 1 to 31 lower-case/],
    ['PARTNER_ADDRESS_ALLOW_LIST=127.0.0.1', /^PARTNER_ADDRESS_ALLOW_LIST in \.env .*must be host:port or host:\*/],
    ['LINK_RETURN_URLS=play.example', /^LINK_RETURN_URLS in \.env .*must be an address that starts with http:/],
    ['TRUSTED_PROXIES=everyone', /^TRUSTED_PROXIES in \.env .*must be an address or a network/],
    ['PORT_BASE=80', /^PORT_BASE in \.env must be a whole number from 1024/],
    ['DATABASE_URL=canary', /^DATABASE_URL in \.env must be an address that starts with postgres:/],
    ['PUBLIC_NAME=a\ncanary canary\nB=1', /^Line 2 of \.env is not NAME=value/],
    ['# a\n=canary', /^Line 2 of \.env is not NAME=value/],
  ])('are refused before anything starts when they are malformed: %j', (text, sentence) => {
    expect(() => open(text)).toThrow(sentence);
    expect(() => open(text)).not.toThrow('canary');
  });

  it('may be quoted, over lines, exported, commented and empty', () => {
    const text =
      'export PUBLIC_NAME="acme" # ours\n\n# LOG_LEVEL=debug\nLINK_RETURN_URLS="https://a.example,\nhttps://b.example"\r\nLOG_LEVEL=\n';
    expect(open(text).forServices.map(({ name, value }) => [name, value])).toEqual([
      ['LINK_RETURN_URLS', 'https://a.example,\nhttps://b.example'],
      ['PUBLIC_NAME', 'acme'],
    ]);
    // An empty variable of the environment unsets the value of .env.
    expect(open('PUBLIC_NAME=acme\n', { PUBLIC_NAME: '' }).forServices).toEqual([]);
  });

  it('are empty without a .env', () => {
    expect(openLocalSettings({}, folder)).toEqual({ environment: {}, forServices: [], notices: [] });
  });

  it('include every line of .env.example, which has no effect while it is commented out', () => {
    const example = fs.readFileSync(path.resolve(__dirname, '../../../.env.example'), 'utf8');
    expect(open(example)).toEqual({ environment: {}, forServices: [], notices: [] });
    const names = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    for (const name of [...Object.keys(fieldsOf('linkage')), 'PORT_BASE', 'STACK_NAME']) expect(names).toContain(name);
    const known = open(names.map((name) => `${name}=\n`).join(''));
    expect(known.notices).toEqual([]);
  });
});
