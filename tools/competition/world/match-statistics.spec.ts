import { WorldDocuments } from '../test/world-documents';

const nowS = 1_792_540_800;

describe('statistics of matches', () => {
  const world = new WorldDocuments({ players: 600, matches: 400, seed: 3, nowS });
  const matches = new Map(world.all('match').map(({ id, document }) => [id, document]));
  const rounds = world.all('match-stats').flatMap(({ id, document, beside }) =>
    document.rounds.map((round, place, { length: count }) => ({
      id,
      round,
      place,
      count,
      finishedAt: beside.finished_at,
    })),
  );

  it('have a round per game, with the scores, the winner and the teams of the match', () => {
    for (const { id, round, place, count, finishedAt } of rounds) {
      const match = matches.get(id);
      const game = match?.detailed_results?.[place];
      const teams = Object.entries(match?.teams ?? {});
      expect(round).toMatchObject({ match_id: id, competition_id: match?.competition_id, match_round: `${place + 1}` });
      expect(match?.detailed_results).toHaveLength(count);
      expect(round.round_stats.Score).toBe(
        Object.values(game?.factions ?? {})
          .map(({ score }) => score)
          .join(' / '),
      );
      expect(round.round_stats.Winner).toBe(match?.teams[game?.winner ?? ''].faction_id);
      expect(Date.parse(round.round_stats['Created At'])).toBe(finishedAt * 1000);
      expect(round.teams.map(({ team_id }) => team_id)).toEqual(teams.map(([, { faction_id }]) => faction_id));
      for (const [side, { players, team_stats }] of round.teams.entries()) {
        const [key, { roster }] = teams[side];
        expect(players.map(({ player_id }) => player_id)).toEqual(roster.map(({ player_id }) => player_id));
        expect(team_stats['Final Score']).toBe(String(game?.factions[key].score));
        const result = game?.winner === key ? '1' : '0';
        expect([team_stats['Team Win'], ...players.map((player) => player.player_stats.Result)]).toEqual(
          Array(1 + roster.length).fill(result),
        );
      }
    }
  });

  it('have as many deaths as the other side has kills', () => {
    for (const { round } of rounds) {
      const [first, second] = round.teams.map(({ players }) => players.map(({ player_stats }) => player_stats));
      expect(sumOf(first, 'Deaths')).toBe(sumOf(second, 'Kills'));
      expect(sumOf(second, 'Deaths')).toBe(sumOf(first, 'Kills'));
    }
  });

  it('share the rounds of a shooter between halves, sides and players', () => {
    const shooters = rounds.filter(({ round }) => 'First Half Score' in round.teams[0].team_stats);
    expect(shooters.length).toBeGreaterThan(100);
    for (const { round } of shooters) {
      const played = Number(round.round_stats.Rounds);
      const teams = round.teams.map(({ team_stats }) => team_stats);
      expect(sumOf(teams, 'First Half Score')).toBe(12);
      expect(sumOf(teams, 'Second Half Score')).toBe(Math.min(12, played - 12));
      expect(sumOf(teams, 'Overtime score')).toBe(Math.max(0, played - 24));
      const players = round.teams.flatMap((team) => team.players.map(({ player_stats }) => player_stats));
      expect(sumOf(players, 'First Kills')).toBe(played);
      for (const [side, team] of round.teams.entries())
        expect(
          sumOf(
            team.players.map(({ player_stats }) => player_stats),
            'MVPs',
          ),
        ).toBe(Number(teams[side]['Final Score']));
      for (const stats of players) {
        const several = ['Double', 'Triple', 'Quadro', 'Penta'].map(
          (size, place) => (place + 2) * Number(stats[`${size} Kills`]),
        );
        expect(several.reduce((sum, kills) => sum + kills, 0)).toBeLessThanOrEqual(Number(stats.Kills));
        expect(Number(stats.Headshots)).toBeLessThanOrEqual(Number(stats.Kills));
        expect(Number(stats.Deaths)).toBeLessThanOrEqual(played);
      }
    }
  });
});

function sumOf(figures: readonly Readonly<Record<string, string>>[], label: string): number {
  return figures.reduce((sum, stats) => sum + Number(stats[label]), 0);
}
