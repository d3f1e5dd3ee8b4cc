import { sampleChange } from '../../../test/sample';
import { RunningReads, startReads } from '../../../test/running-reads';
import { finishedAt, smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';

/** Half an hour after the last match. */
const nowMs = (finishedAt + 1800) * 1000;

/** A document is read with one statement, a page with one for its rows and one for documents that are not cached. */
const atFirst: Readonly<Record<string, number>> = {
  getPlayer: 1,
  getMatch: 1,
  getChampionship: 1,
  getChampionshipMatches: 2,
  getHubMatches: 2,
  getHubMembers: 2,
  getHubStats: 3,
  getPlayerHistory: 2,
  getPlayerMatchesStats: 1,
  getPlayerBans: 2,
  getTournamentsList: 2,
  getGlobalRanking: 1,
  getPlayerRanking: 1,
  getPlayerRankingInLeaderboard: 2,
  getLeaderboard: 2,
  getHubRanking: 4,
  searchPlayers: 1,
};

/** Requests that were never made, for documents that are cached. */
const later: Readonly<Record<string, number>> = {
  ...atFirst,
  getChampionshipMatches: 1,
  getHubMatches: 1,
  getHubMembers: 1,
  getHubStats: 2,
  getPlayerHistory: 1,
  getPlayerBans: 1,
  getTournamentsList: 1,
};

describe('statements of a request', () => {
  let running: RunningReads;
  let asked = 0;

  beforeAll(async () => {
    running = await startReads({ now: () => nowMs });
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  const statementsOf = async (id: string): Promise<number> => {
    const before = running.statements.length;
    const path = requests[id];
    const { status } = await running.client.get(`${path}${path.includes('?') ? '&' : '?'}_=${asked++}`);
    expect([id, status]).toEqual([id, 200]);
    return running.statements.length - before;
  };

  it.each(Object.entries(atFirst))(
    '%s: %i at first, and only for its rows once its documents are cached',
    async (id) => {
      const client = await running.alike({});
      const before = running.statements.length;
      await client.get(requests[id]);
      expect([id, running.statements.length - before]).toEqual([id, atFirst[id]]);
      await statementsOf(id);
      expect([id, await statementsOf(id)]).toEqual([id, later[id]]);
    },
  );

  it('of a page: one more after any change, which finds what changed', async () => {
    const page = async (): Promise<[Buffer, number]> => {
      const before = running.statements.length;
      const { bytes } = await running.client.get(`/hubs/${world.hub}/members?_=${asked++}`);
      return [bytes, running.statements.length - before];
    };
    const [members] = await page();
    expect(await page()).toEqual([members, 1]);
    await running.apply([sampleChange('team', { document: { team_id: world.team, name: 'Other' }, revision: 60 })]);
    expect(await page()).toEqual([members, 2]);
    expect(await page()).toEqual([members, 1]);
    const document = { user_id: world.players[2], nickname: 'renamed' };
    await running.apply([sampleChange('hub-member', { document, beside: { hub_id: world.hub }, revision: 60 })]);
    const [changed, statements] = await page();
    expect([String(changed).includes('"renamed"'), statements]).toEqual([true, 2]);
    expect(await page()).toEqual([changed, 1]);
    const fresh = await (await running.alike({})).get(`/hubs/${world.hub}/members`);
    expect(fresh.bytes).toEqual(changed);
  });
});
