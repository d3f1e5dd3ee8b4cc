import { RunningReads, startReads } from '../../apps/competition-read/test/running-reads';
import { readRows } from '../../apps/competition-read/test/read-table';
import { SpecificationCheck } from './test/specification/check';
import { specifiedReplies } from './test/specification/replies';
import { WorldDocuments } from './test/world-documents';
import { worldRequests } from './test/world-requests';
import { games } from './world/games';

const nowS = 1_792_540_800;
const specified = readRows.filter(({ id }) => id !== 'getHubRules');

jest.setTimeout(300_000);

describe('the reads of a generated world, compared with the specification', () => {
  const world = new WorldDocuments({ players: 200, matches: 100, seed: 1, nowS });
  const check = new SpecificationCheck();
  const shown = new Map<string, number>();
  let running: RunningReads;

  beforeAll(async () => {
    const scopes = [
      { scope: 'data:read' as const },
      { scope: 'queues:developer' as const, game_ids: games.map(({ id }) => id) },
    ];
    running = await startReads({ scopes, now: () => nowS * 1000 });
    await running.apply(world.changes);
    for (const row of specified)
      for (const address of worldRequests(row, world)) {
        const { status, body } = await running.client.get(address);
        expect([address, status]).toEqual([address, 200]);
        check.read(specifiedReplies[row.id], body, address);
        shown.set(row.id, (shown.get(row.id) ?? 0) + contentOf(body));
      }
  });
  afterAll(() => running?.stop());

  it('has all operations', () => {
    expect(specified.map(({ id }) => id).sort()).toEqual(Object.keys(specifiedReplies).sort());
  });

  it('returns data for every operation', () => {
    expect(specified.filter(({ id }) => !shown.get(id)).map(({ id }) => id)).toEqual([]);
  });

  it('has every field in every document, with its type and format', () => {
    expect(Object.fromEntries(check.faults)).toEqual({});
  });

  it('has every field with content in some document', () => {
    expect(check.unseen()).toEqual([]);
  });
});

/** How many items a reply has; 1 for one without lists. */
function contentOf(body: unknown): number {
  const lists = Object.values(body as object).filter(Array.isArray);
  return 'items' in (body as object) || lists.length > 0 ? lists.flat().length : 1;
}
