import { createLog } from '@podium/runtime/log';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

describe('the line of a refused request, at the level debug', () => {
  const lines: Record<string, unknown>[] = [];
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({
      redisUrl: 'redis://127.0.0.1:1',
      ingestionUrls: [],
      logger: createLog(
        { service: 'gateway', instance: 'test', level: 'debug' },
        { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
      ),
    });
  });
  afterAll(() => gateway.stop());

  it.each([
    ['POST', '/nowhere', 'not_found'],
    ['PUT', '/docs', 'method_not_allowed'],
    ['POST', '/cdp/v1/users/events/send', 'unauthorized'],
    ['GET', '/data/v4/games', 'unauthorized'],
  ])('shows the code: %s %s', async (method, path, code) => {
    await fetch(gateway.url + path, { method, headers: { 'x-request-id': 'request-1' } });
    const refused = lines.filter(({ msg }) => String(msg).includes('refused at the edge'));
    expect(refused.at(-1)).toMatchObject({ request_id: 'request-1', error_code: code });
  });
});
