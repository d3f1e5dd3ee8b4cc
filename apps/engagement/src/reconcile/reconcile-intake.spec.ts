import { createApplication, createHttpAdapter } from '@podium/runtime/app';
import { CodedError, errorCatalogue, eventStatusPath, platformHeader, reconcilePath } from '@podium/messages';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { AppModule } from '../app.module';
import { ReconcileIntake } from './reconcile-intake';

const logger = pino({ level: 'silent' });
const token = 'internal-token-of-the-spec-0123456789';

describe('ReconcileIntake', () => {
  const asked: { platform: string; ids: readonly string[] }[] = [];
  let missing: () => Promise<string[]>;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const intake = new ReconcileIntake(
      {
        missing: (platform, ids) => {
          asked.push({ platform, ids });
          return missing();
        },
      },
      new InternalToken({ current: [token] }),
      logger,
    );
    app = (await createApplication(
      {
        module: { module: AppModule },
        adapter: createHttpAdapter(),
        prepare: (made) => intake.register(made.getHttpAdapter().getInstance()),
      },
      logger,
    )) as NestFastifyApplication;
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });

  afterAll(() => app.close());

  beforeEach(() => {
    asked.length = 0;
    missing = async () => [];
  });

  const headers = { [internalTokenHeader]: token, [platformHeader]: 'a%2Fb', 'content-type': 'application/json' };

  const reconcile = (payload: Buffer | string, changes: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: reconcilePath, headers: { ...headers, ...changes }, payload });
  const status = (query: string) => app.inject({ method: 'GET', url: `${eventStatusPath}${query}`, headers });

  it('answers which ids are missing, and whether one is accepted', async () => {
    missing = async () => ['b'];
    const answer = await reconcile(' {"ids": ["a", "b", "c:\\"d,é\\u0041"] } ');
    expect([answer.statusCode, answer.json()]).toEqual([200, { missing: ['b'] }]);
    expect((await status('?id=%62')).json()).toEqual({ accepted: false });
    missing = async () => [];
    expect((await status('?other=1&id=a%3Ab+%2B%3F%26')).json()).toEqual({ accepted: true });
    expect(asked).toEqual([
      { platform: 'a/b', ids: ['a', 'b', 'c:"d,éA'] },
      { platform: 'a/b', ids: ['b'] },
      { platform: 'a/b', ids: ['a:b +?&'] },
    ]);
  });

  it('takes 10,000 ids of 255 bytes', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => String(at).padStart(255, 'x'));
    expect((await reconcile(JSON.stringify({ ids }))).statusCode).toBe(200);
    expect(asked[0].ids).toEqual(ids);
  });

  it.each<[string, Buffer | string, string]>([
    ['no body', '', 'JSON'],
    ['no JSON', '{"ids":[', 'JSON'],
    ['null', 'null', 'object'],
    ['an array', '["a"]', 'object'],
    ['no ids', '{}', 'ids'],
    ['ids that are no array', '{"ids":"a"}', 'ids'],
    ['ids twice, which parsers merge', '{"ids":["a"],"ids":[]}', 'ids twice'],
    ['ids twice, once escaped', '{"\\u0069ds":["a"],"ids":[]}', 'ids twice'],
    ['another field', '{"ids":[],"from":"x"}', 'other fields'],
    ['a number', '{"ids":["a",1]}', 'ids[1]'],
    ['an object', '{"ids":["a",{"id":"b"}]}', 'ids[1]'],
    ['null as an id', '{"ids":[null]}', 'ids[0]'],
    ['an empty id', '{"ids":["a","b",""]}', 'ids[2]'],
    ['a blank id', '{"ids":["\\u2003"]}', 'ids[0]'],
    ['a NUL', '{"ids":["a\\u0000"]}', 'ids[0]'],
    ['an unpaired surrogate', '{"ids":["\\ud800"]}', 'ids[0]'],
    ['an id of 256 bytes', JSON.stringify({ ids: [`${'é'.repeat(127)}ab`] }), 'ids[0]'],
    ['10,001 ids', JSON.stringify({ ids: Array.from({ length: 10_001 }, String) }), '10000'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x73, 0x22, 0x3a, 0x5b, 0xff]), 'UTF-8'],
  ])('refuses %s and names the place', async (_what, body, place) => {
    const answer = await reconcile(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      error: expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining(place) as unknown,
      }) as unknown,
    });
    expect(asked).toEqual([]);
  });

  it.each([
    '',
    '?',
    '?id',
    '?id=',
    '?id=%20',
    '?id=a&id=b',
    '?id=%ff',
    '?id=%ud800',
    '?id=%00',
    `?id=${'a'.repeat(256)}`,
  ])('refuses the query %p', async (query) => {
    const answer = await status(query);
    expect([answer.statusCode, asked]).toEqual([400, []]);
  });

  it('serves the gateway alone, and refuses what it never sends', async () => {
    expect((await reconcile('{"ids":[]}', { [internalTokenHeader]: 'x' })).statusCode).toBe(401);
    expect((await reconcile('{"ids":[]}', { [platformHeader]: '' })).statusCode).toBe(500);
    expect((await reconcile('{"ids":[]}', { 'content-type': 'text/plain' })).statusCode).toBe(415);
    expect((await reconcile(' '.repeat(3 * 1024 * 1024 + 1))).statusCode).toBe(413);
    expect(asked).toEqual([]);
  });

  it('answers 503 with Retry-After when nothing certain can be said', async () => {
    missing = () => Promise.reject(new CodedError('unavailable', { message: 'Not yet.' }));
    const answer = await status('?id=a');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([
      503,
      String(errorCatalogue.unavailable.retryAfterS),
    ]);
  });
});
