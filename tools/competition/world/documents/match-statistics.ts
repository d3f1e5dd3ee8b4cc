import { MatchStats, MatchStatsRound } from '@podium/messages';
import { GameRow } from '../games';
import { SideIndex } from '../match-ids';
import { MatchPlan, PlayedGame } from '../match-plan';
import { MatchSide } from '../match-sides';
import { PlayerFacts } from '../players';
import { Random } from '../random';
import { Labelled, percent, ratio } from '../statistics';

/** Statistics of a finished match, one round per game. */
export function matchStatsOf(plan: MatchPlan, random: Random): MatchStats {
  const { id, competition, game, bestOf, sides } = plan;
  return {
    rounds: plan.games.map((played, number): MatchStatsRound => ({
      best_of: String(bestOf),
      competition_id: competition.id,
      game_id: game.id,
      game_mode: '5v5',
      match_id: id,
      match_round: String(number + 1),
      played: '1',
      round_stats: {
        Map: played.map,
        Region: competition.region,
        Rounds: String(played.scores[0] + played.scores[1]),
        Score: `${played.scores[0]} / ${played.scores[1]}`,
        Winner: sides[played.winner].id,
      },
      teams: [teamOf(sides[0], 0, played, game, random), teamOf(sides[1], 1, played, game, random)],
    })),
  };
}

function teamOf(
  side: MatchSide,
  index: SideIndex,
  played: PlayedGame,
  game: GameRow,
  random: Random,
): MatchStatsRound['teams'][number] {
  const won = played.winner === index;
  const score = played.scores[index];
  return {
    players: side.players.map((player) => ({
      nickname: player.nickname,
      player_id: player.id,
      player_stats:
        game.family === 'shooter' ? shooterStats(player, won, played, game, random) : arenaStats(won, game, random),
    })),
    premade: side.type !== '',
    team_id: side.id,
    team_stats: {
      Team: side.name,
      'Final Score': String(score),
      'Team Win': won ? '1' : '0',
      ...(game.family === 'shooter' && halvesOf(played, index, random)),
    },
  };
}

/** Halves of twelve rounds; what is beyond them was won in overtime. */
function halvesOf({ scores }: PlayedGame, side: SideIndex, random: Random): Labelled {
  const overtime = scores[0] + scores[1] > 24 ? scores[side] - 12 : 0;
  const regular = scores[side] - overtime;
  const firstHalf = random.between(Math.max(0, regular - 12), Math.min(12, regular));
  return {
    'First Half Score': String(firstHalf),
    'Second Half Score': String(regular - firstHalf),
    'Overtime score': String(overtime),
    'Team Headshots': String(random.between(25, 55)),
  };
}

function shooterStats(
  { rating }: PlayerFacts,
  won: boolean,
  { scores }: PlayedGame,
  game: GameRow,
  random: Random,
): Labelled {
  const rounds = scores[0] + scores[1];
  const kills = Math.max(1, Math.round((rounds * (random.between(30, 90) + rating.level * 3 + (won ? 10 : 0))) / 110));
  const deaths = Math.max(1, Math.round((rounds * random.between(45, 90)) / 100));
  const damage = kills * random.between(85, 115);
  const headshots = Math.round((kills * random.between(20, 70)) / 100);
  const stats = {
    ADR: ratio(damage, rounds),
    Assists: String(random.between(0, 9)),
    Damage: String(damage),
    Deaths: String(deaths),
    'Double Kills': String(random.below(6)),
    'First Kills': String(random.below(5)),
    Headshots: String(headshots),
    'Headshots %': percent(headshots, kills),
    'K/D Ratio': ratio(kills, deaths),
    'K/R Ratio': ratio(kills, rounds),
    Kills: String(kills),
    MVPs: String(random.below(5)),
    'Penta Kills': random.chance(2) ? '1' : '0',
    'Quadro Kills': random.chance(10) ? '1' : '0',
    Result: won ? '1' : '0',
    'Triple Kills': String(random.below(3)),
    'Utility Damage': String(random.below(120)),
  };
  return game.characters.length === 0 ? stats : { Agent: random.pick(game.characters), ...stats };
}

function arenaStats(won: boolean, game: GameRow, random: Random): Labelled {
  const kills = random.between(0, 18);
  const deaths = random.between(0, 14);
  const lastHits = random.between(20, 380);
  return {
    Assists: String(random.between(0, 25)),
    Character: random.pick(game.characters),
    Deaths: String(deaths),
    Denies: String(random.below(20)),
    'Gold Per Minute': String(250 + lastHits + random.below(150)),
    'Hero Damage': String(random.between(4_000, 45_000)),
    'K/D Ratio': ratio(kills, Math.max(1, deaths)),
    Kills: String(kills),
    'Last Hits': String(lastHits),
    Level: String(random.between(12, 25)),
    Result: won ? '1' : '0',
    'Tower Damage': String(random.below(9_000)),
    'XP Per Minute': String(random.between(300, 800)),
  };
}
