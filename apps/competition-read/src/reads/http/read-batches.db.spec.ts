import { KeyScope, maxBatchedReads } from '@podium/messages';
import { DataReply, DataRequest } from '../../../test/data-client';
import { RunningReads, startReads } from '../../../test/running-reads';
import { smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';

const developer: KeyScope = { scope: 'queues:developer', game_ids: [world.game] };
const reader: KeyScope = { scope: 'data:read' };

/** Headers of a response on a connection of its own that say nothing about the read. */
const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

/** What a client gets of a response. The gateway gives `no-store` to one that says nothing about caches. */
function seenOf({ status, headers, bytes }: DataReply): object {
  const own = Object.entries({ 'cache-control': 'no-store', ...headers }).filter(
    ([name]) => !ofConnection.includes(name),
  );
  return { status, headers: Object.fromEntries(own), bytes: bytes.toString('latin1') };
}

describe('reads in a batch', () => {
  let running: RunningReads;

  beforeAll(async () => {
    // Some responses contain the second at which they were made.
    const nowMs = Date.now();
    running = await startReads({ scopes: [reader, developer], now: () => nowMs });
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  /** The responses to reads in batches, each of which is that to the same read sent alone. */
  async function asAlone(paths: readonly string[], request?: DataRequest): Promise<DataReply[]> {
    const replies: DataReply[] = [];
    for (let at = 0; at < paths.length; at += maxBatchedReads) {
      const some = paths.slice(at, at + maxBatchedReads);
      const together = await running.client.getTogether(some, request);
      for (let place = 0; place < some.length; place++) {
        const alone = await running.client.get(some[place], request);
        const reply = together[place];
        expect(reply && [some[place], seenOf(reply)]).toEqual([some[place], seenOf(alone)]);
        replies.push(alone);
      }
    }
    return replies;
  }

  it('has the response of the same read sent alone, for every operation', async () => {
    const paths = Object.values(requests);
    const plain = await asAlone(paths);
    expect(new Set(plain.map(({ status }) => status))).toEqual(new Set([200]));
    const packed = await asAlone(paths, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.filter(({ headers }) => headers['content-encoding'] === 'gzip').length).toBeGreaterThan(3);
    const { etag } = plain[0].headers;
    const [known] = await asAlone([paths[0]], { headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);
  });

  it('refuses what is refused alone', async () => {
    const statuses = async (paths: string[], request?: DataRequest): Promise<number[]> =>
      (await asAlone(paths, request)).map(({ status }) => status);
    expect(
      await statuses([
        '/players/nobody',
        '/no-such-resource',
        '/players/',
        '/Games',
        '/games/',
        '//games',
        '/games;x=1',
        '/players/%zz',
        '/players/%E0%A4%A',
        `/players/${'x'.repeat(4096)}`,
        `/players/${'x'.repeat(4097)}`,
        '/games?limit=0',
        '/games?limit=%zz',
        '/games?offset=1&offset=2',
      ]),
    ).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 400, 400, 400]);
    expect(await statuses([requests.getGame], { scopes: [] })).toEqual([403]);
  });

  it('refuses a batch without the internal token, and one that is broken', async () => {
    const { client } = running;
    await expect(client.getTogether([], { headers: { 'x-podium-internal-token': 'forged' } })).rejects.toThrow('401');
    await expect(client.getTogether(Array<string>(maxBatchedReads + 1).fill('/games'))).rejects.toThrow('400');
    expect(await client.getTogether([])).toEqual([]);
  });
});
