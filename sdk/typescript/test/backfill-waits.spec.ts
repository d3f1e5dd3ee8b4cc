import * as fs from 'node:fs';
import * as path from 'node:path';
import { EdgeAnswer, ScriptedEdge, runCommand } from './scripted-edge';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();

describe('podium-partner backfill, told to wait', () => {
  const edge = new ScriptedEdge();
  let url: string;
  beforeAll(async () => {
    url = await edge.listen();
  });
  afterAll(() => edge.close());

  it('ends when that is longer than it waits for Podium, and goes on when it is called again', async () => {
    const event = { id: 'e', name: 'deposit', created_at: 1_767_225_600, attributes: [] };
    const input = path.join(folderOf(), 'events.ndjson');
    fs.writeFileSync(input, `${JSON.stringify({ platform_user_id: 'u', event })}\n`);
    let sending: EdgeAnswer = { status: 429, headers: { 'retry-after': '86400' }, body: 'too many requests' };
    edge.answer = ({ path: asked }) =>
      asked.endsWith('/contract') ? { status: 200, body: { platform: 'acme' } } : sending;
    const backfill = (): ReturnType<typeof runCommand> =>
      runCommand(['backfill', input, '--url', url], { env: { PODIUM_EVENT_KEY: 'canary-key' } });
    const refused = await backfill();
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('Not finished.') as string });
    sending = { status: 200, body: { outcome: 'accepted', event_id: 'e', dropped_attributes: [] } };
    expect(await backfill()).toMatchObject({ code: 0, out: expect.stringContaining('1 accepted') as string });
  });
});
