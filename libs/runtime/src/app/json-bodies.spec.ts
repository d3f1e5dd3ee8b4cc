import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsInt, IsOptional } from 'class-validator';
import { pino } from 'pino';
import { createApplication } from './create-application';

class CountDto {
  @IsOptional()
  @IsInt()
  count?: number;
}

@Controller()
class BodiesController {
  @Post('counts')
  @HttpCode(200)
  count(@Body() dto: CountDto): CountDto {
    return { ...dto };
  }
}

@Module({ controllers: [BodiesController] })
class BodiesModule {}

describe('bodies of requests to a service', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await createApplication({ module: { module: BodiesModule } }, pino({ level: 'silent' }));
    await app.init();
  });
  afterAll(() => app?.close());

  const post = async (payload: string | undefined, type?: string) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const { statusCode, payload: text } = await app.inject({ method: 'POST', url: '/counts', headers, payload });
    return { status: statusCode, json: JSON.parse(text) as { error?: { code: string; message: string } } };
  };

  it('are JSON', async () => {
    expect(await post('{"count":1}', 'application/json')).toEqual({ status: 200, json: { count: 1 } });
    expect(await post('{"count":1}', 'application/json; charset=utf-8')).toEqual({ status: 200, json: { count: 1 } });
  });

  it.each([undefined, 'application/json', 'application/json; charset=utf-8'])(
    'are none when they are empty, with the content type %s',
    async (type) => {
      expect(await post(undefined, type)).toEqual({ status: 200, json: {} });
      expect(await post('', type)).toEqual({ status: 200, json: {} });
    },
  );

  it.each(['{"count":', '{"count":1}}', '{"__proto__":{"count":1}}', '\ufeff{}x'])(
    'are refused with what to correct when they cannot be read: %s',
    async (body) => {
      expect(await post(body, 'application/json')).toMatchObject({
        status: 400,
        json: {
          error: { code: 'invalid_request', message: expect.stringContaining('The body is not JSON') as string },
        },
      });
    },
  );

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])(
    'are refused as %s by their type',
    async (type) => {
      expect(await post('{"count":1}', type)).toMatchObject({
        status: 415,
        json: { error: { code: 'unsupported_media_type' } },
      });
    },
  );
});
