import { CompetitionKind, KeyScope, changedDocument } from '@podium/messages';
import { RunningReads, startReads } from '../../../test/running-reads';
import { deletionOf } from '../../../test/sample';
import { finishedAt, smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';
import { readRows } from './read-rows';

/** The kind of the document that a path parameter names. */
const kinds: Readonly<Record<string, CompetitionKind>> = {
  championship_id: 'championship',
  game_id: 'game',
  hub_id: 'hub',
  leaderboard_id: 'leaderboard',
  league_id: 'league',
  match_id: 'match',
  matchmaking_id: 'matchmaking',
  organizer_id: 'organizer',
  player_id: 'player',
  queue_id: 'queue',
  team_id: 'team',
  tournament_id: 'tournament',
};

/** Parameters that name a part of a document: regions of a game, numbers of groups and seasons. */
const partNames = ['group', 'region', 'region_id', 'season', 'season_id'];

/** Entries and figures of players and teams, which stay as they are without the other document. */
const shownWithout: Readonly<Record<string, readonly string[]>> = {
  game_id: ['getGlobalRanking', 'getPlayerMatchesStats', 'getPlayerRanking', 'getPlayerStats', 'getTeamStats'],
  player_id: ['getPlayerForLeagueSeason', 'getPlayerRankingInLeaderboard'],
};

describe('reads of what belongs to a deleted document', () => {
  let running: RunningReads;

  beforeAll(async () => {
    const scopes: KeyScope[] = [{ scope: 'data:read' }, { scope: 'queues:developer', game_ids: [world.game] }];
    running = await startReads({ scopes, now: () => (finishedAt + 1800) * 1000 });
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  const statusesOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => [id, (await running.client.get(requests[id])).status]));

  it('are tried with every document that a path names', () => {
    const names = readRows.flatMap(({ params }) => Object.keys(params));
    expect([...new Set(names)].sort()).toEqual([...Object.keys(kinds), ...partNames].sort());
  });

  it.each(Object.entries(kinds))(
    'answer 404 where %s names a deleted %s, and 200 once it is back',
    async (name, kind) => {
      const ids = readRows.filter(({ params }) => name in params).map(({ id }) => id);
      const documents = smallWorld().filter((change) => changedDocument(change).kind === kind);
      await running.apply(documents.map((change) => deletionOf(kind, changedDocument(change).id, 2)));
      expect(await statusesOf(ids)).toEqual(ids.map((id) => [id, shownWithout[name]?.includes(id) ? 200 : 404]));
      await running.apply(documents.map((change) => ({ ...change, revision: 3 })));
      expect(await statusesOf(ids)).toEqual(ids.map((id) => [id, 200]));
    },
  );
});
