import { CompetitionChange } from '@podium/messages';
import { sampleChange } from '../../test/sample';
import { readChange } from './read-change';

describe('reading a change', () => {
  const longText = 'x'.repeat(50_000);
  const round = { best_of: '1', competition_id: 'c', game_id: 'cs2', match_id: 'm', match_round: '1', played: '1' };
  const statsOf = (
    players: number,
    shared: { game_mode?: string; Map?: string; Score?: string },
  ): CompetitionChange => {
    const { game_mode = '5v5', Map = 'Mirage', Score = '13' } = shared;
    const own = { nickname: 'n', player_stats: { Kills: '21' } };
    const team = {
      ...{ premade: false, team_id: 't', team_stats: { Score } },
      players: Array.from({ length: players }, (_, at) => ({ ...own, player_id: `p${at}` })),
    };
    return sampleChange('match-stats', {
      document: { rounds: [{ ...round, game_mode, round_stats: { Map }, teams: [team] }] },
    });
  };

  it.each(['game_mode', 'Map', 'Score'] as const)(
    'refuses statistics of a match whose %s would be repeated for thousands of players',
    (field) => {
      const refused = readChange(statsOf(2_000, { [field]: longText }));
      expect(refused).toEqual({ ok: false, reason: expect.stringContaining('repeated for each player') as string });
      expect(readChange(statsOf(10, { [field]: longText })).ok).toBe(true);
      expect(readChange(statsOf(2_000, {})).ok).toBe(true);
    },
  );
});
