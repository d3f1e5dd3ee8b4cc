import { randomUUID } from 'node:crypto';
import type { DataErrors } from '../competition/data-api';
import { DemoStack } from '../support/demo-stack';

/** Tests of data reads with headers that are as large as the edge allows. */
export function describeLargeReads(demoOf: () => DemoStack): void {
  describe('reads of competition data with large headers', () => {
    const read = async (target: string, key: string): Promise<[number, unknown]> => {
      const response = await fetch(`${demoOf().description.gateway_url}/data/v4${target}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return [response.status, await response.json()];
    };

    it('refuse a word that is too long, and name it', async () => {
      const target = `/tournaments?offset=1&game=${'('.repeat(6000)}`;
      const [status, body] = await read(target, demoOf().description.data_api_key);
      expect([status, (body as DataErrors).errors[0].parameters]).toEqual([400, ['game']]);
    });

    it('respond to a key with the most scopes and to a target just below the limit', async () => {
      const ids = Array.from({ length: 100 }, (_, at) => String(at).padStart(64, 'x'));
      const key = await newKey([
        { scope: 'data:read' },
        { scope: 'queues:developer', game_ids: ids },
        { scope: 'queues:organizer', organizer_ids: ids },
      ]);
      const target = `/games?ignored=${'x'.repeat(15 * 1024)}`;
      expect(await untilKnown(() => read(target, key))).toMatchObject([200, { items: expect.any(Array) }]);
      const missing = await read(target.replace('/games', '/games/no_such_game'), key);
      expect(missing).toMatchObject([404, { errors: [{ code: 'err_nf0' }] }]);
    });

    async function newKey(scopes: readonly object[]): Promise<string> {
      const { gateway_url, operator_token } = demoOf().description;
      const response = await fetch(`${gateway_url}/admin/v1/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operator_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Large ${randomUUID()}`, scopes }),
      });
      expect(response.status).toBe(201);
      return ((await response.json()) as { key: string }).key;
    }

    /** A new key reaches the gateway through Kafka. */
    async function untilKnown(ask: () => Promise<[number, unknown]>): Promise<[number, unknown]> {
      for (const endMs = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
        const answer = await ask();
        if (answer[0] !== 401 || Date.now() > endMs) return answer;
      }
    }
  });
}
