import { MatchStatsRound, PlayerMatchStats, jsonText } from '@podium/messages';
import { arbitraryOf } from '@podium/testing/schema-arbitrary';
import { Value } from '@sinclair/typebox/value';
import * as fc from 'fast-check';
import { playerRounds } from './player-rounds';

const stats = fc.dictionary(
  fc.constantFrom('Kills', 'Result', 'Map', 'Game', 'Player Id', '__proto__', '1'),
  fc.string(),
  {
    noNullPrototype: true,
  },
);

describe('player rounds of a match', () => {
  it('prefer figures of the player over those of team and round, and identifiers of the round over all', () => {
    fc.assert(
      fc.property(arbitraryOf(MatchStatsRound), fc.array(stats, { minLength: 3 }), fc.nat(), (base, texts, at) => {
        const some = (index: number) => texts[index % texts.length];
        const round: MatchStatsRound = {
          ...base,
          round_stats: some(0),
          teams: base.teams.map((team, t) => ({
            ...team,
            team_stats: some(t + 1),
            players: team.players.map((player, p) => ({ ...player, player_stats: some(t + p + 2) })),
          })),
        };
        const expected = round.teams.flatMap(({ team_stats, players }) =>
          players.map(({ player_id, nickname, player_stats }) => ({
            playerId: player_id,
            stats: {
              ...round.round_stats,
              ...team_stats,
              ...player_stats,
              'Best Of': round.best_of,
              'Competition Id': round.competition_id,
              Game: round.game_id,
              'Game Mode': round.game_mode,
              'Match Finished At': at,
              'Match Id': round.match_id,
              'Match Round': round.match_round,
              Nickname: nickname,
              'Player Id': player_id,
            },
          })),
        );
        const read = playerRounds(round, at).map(({ playerId, body }) => ({
          playerId,
          ...(JSON.parse(body) as PlayerMatchStats),
        }));
        expect(read).toEqual(JSON.parse(jsonText(expected)));
        for (const { stats } of read) expect(Value.Check(PlayerMatchStats, { stats })).toBe(true);
      }),
    );
  });
});
