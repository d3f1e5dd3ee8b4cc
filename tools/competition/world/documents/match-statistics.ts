import { MatchStats, MatchStatsRound } from '@podium/messages';
import { iso } from '../clock';
import { GameRow } from '../games';
import { SideIndex } from '../match-ids';
import { MatchPlan, PlayedGame } from '../match-plan';
import { PlayerFacts } from '../players';
import { Random } from '../random';
import { Labelled, percent, ratio } from '../statistics';
import { lineUpSize } from '../teams';

type Pair<T> = readonly [T, T];

/** Statistics of a finished match, one round per game; the kills of one side are the deaths of the other. */
export function matchStatsOf(plan: MatchPlan, finishedS: number, random: Random): MatchStats {
  const finishedAt = iso(finishedS);
  return { rounds: plan.games.map((played, number) => roundOf(plan, played, number + 1, finishedAt, random)) };
}

function roundOf(
  { id, competition, game, bestOf, sides }: MatchPlan,
  played: PlayedGame,
  number: number,
  finishedAt: string,
  random: Random,
): MatchStatsRound {
  const [first, second] = played.scores;
  const drawn = game.family === 'shooter' ? shooterStats : arenaStats;
  const figures = drawn(sides[0].players, sides[1].players, played, game, random);
  const halves = game.family === 'shooter' ? halvesOf(played.scores, random) : null;
  return {
    best_of: String(bestOf),
    competition_id: competition.id,
    game_id: game.id,
    game_mode: '5v5',
    match_id: id,
    match_round: String(number),
    played: '1',
    round_stats: {
      'Created At': finishedAt,
      Map: played.map,
      Region: competition.region,
      Rounds: String(first + second),
      Score: `${first} / ${second}`,
      'Updated At': finishedAt,
      Winner: sides[played.winner].id,
    },
    teams: ([0, 1] as const).map((side) => ({
      players: sides[side].players.map(({ nickname, id: player_id }, place) => ({
        ...{ nickname, player_id },
        player_stats: figures[side][place],
      })),
      premade: sides[side].type !== '',
      team_id: sides[side].id,
      team_stats: {
        Team: sides[side].name,
        'Final Score': String(played.scores[side]),
        'Team Win': resultOf(played, side),
        ...(halves && { ...halves[side], 'Team Headshots': headshotsOf(figures[side]) }),
      },
    })),
  };
}

/** Two halves of twelve rounds, which the sides share; further rounds were won in overtime. */
function halvesOf(scores: Pair<number>, random: Random): Pair<Labelled> {
  const isOvertime = scores[0] + scores[1] > 2 * halfRounds;
  const [a, b] = scores.map((score) => (isOvertime ? halfRounds : score));
  const least = Math.max(0, a - halfRounds, halfRounds - b);
  const ofFirst = random.between(least, Math.min(halfRounds, a, 2 * halfRounds - b));
  const textsOf = (score: number, regular: number, firstHalf: number): Labelled => ({
    'First Half Score': String(firstHalf),
    'Second Half Score': String(regular - firstHalf),
    'Overtime score': String(score - regular),
  });
  return [textsOf(scores[0], a, ofFirst), textsOf(scores[1], b, halfRounds - ofFirst)];
}

const halfRounds = 12;

function headshotsOf(players: readonly Labelled[]): string {
  return ratio(
    players.reduce((sum, { Headshots }) => sum + Number(Headshots), 0),
    players.length,
  );
}

type Draw = (
  first: readonly PlayerFacts[],
  second: readonly PlayerFacts[],
  played: PlayedGame,
  game: GameRow,
  random: Random,
) => Pair<readonly Labelled[]>;

const shooterStats: Draw = (first, second, played, game, random) => {
  const rounds = played.scores[0] + played.scores[1];
  const drawKills = (players: readonly PlayerFacts[], side: SideIndex) =>
    players.map(({ rating }) => {
      const skill = random.between(30, 90) + rating.level * 3 + (played.winner === side ? 10 : 0);
      return Math.min(rounds, Math.max(1, Math.round((rounds * skill) / 125)));
    });
  const kills = [drawKills(first, 0), drawKills(second, 1)] as const;
  const firstKills = partsOf(rounds, 2 * lineUpSize, rounds, random);
  const ofSide = (side: SideIndex): Labelled[] => {
    const deaths = partsOf(total(kills[side === 0 ? 1 : 0]), lineUpSize, rounds, random);
    const mvps = partsOf(played.scores[side], lineUpSize, rounds, random);
    return kills[side].map((own, place) => {
      const damage = own * random.between(85, 115);
      const headshots = Math.round((own * random.between(20, 70)) / 100);
      const [penta, quadro, triple, double] = multiKills(own, random);
      const stats = {
        ADR: ratio(damage, rounds),
        Assists: String(random.between(0, 9)),
        Damage: String(damage),
        Deaths: String(deaths[place]),
        'First Kills': String(firstKills[side * lineUpSize + place]),
        Headshots: String(headshots),
        'Headshots %': percent(headshots, own),
        'K/D Ratio': ratio(own, Math.max(1, deaths[place])),
        'K/R Ratio': ratio(own, rounds),
        Kills: String(own),
        MVPs: String(mvps[place]),
        'Penta Kills': penta,
        'Quadro Kills': quadro,
        'Triple Kills': triple,
        'Double Kills': double,
        Result: resultOf(played, side),
        'Utility Damage': String(random.below(120)),
      };
      return game.characters.length === 0 ? stats : { Agent: random.pick(game.characters), ...stats };
    });
  };
  return [ofSide(0), ofSide(1)];
};

/** Rounds with five, four, three and two kills, for a total of kills. */
function multiKills(kills: number, random: Random): [string, string, string, string] {
  let left = kills;
  const take = (size: number, wanted: number): string => {
    const count = Math.min(wanted, Math.floor(left / size));
    left -= count * size;
    return String(count);
  };
  return [
    take(5, random.chance(2) ? 1 : 0),
    take(4, random.chance(10) ? 1 : 0),
    take(3, random.below(3)),
    take(2, random.below(6)),
  ];
}

const arenaStats: Draw = (first, second, played, game, random) => {
  const drawKills = (players: readonly PlayerFacts[]) => players.map(() => random.between(0, 18));
  const kills = [drawKills(first), drawKills(second)] as const;
  const ofSide = (side: SideIndex): Labelled[] => {
    const deaths = partsOf(total(kills[side === 0 ? 1 : 0]), lineUpSize, Infinity, random);
    return kills[side].map((own, place) => {
      const lastHits = random.between(20, 380);
      return {
        Assists: String(random.between(0, 25)),
        Character: random.pick(game.characters),
        Deaths: String(deaths[place]),
        Denies: String(random.below(20)),
        'Gold Per Minute': String(250 + lastHits + random.below(150)),
        'Hero Damage': String(random.between(4_000, 45_000)),
        'K/D Ratio': ratio(own, Math.max(1, deaths[place])),
        Kills: String(own),
        'Last Hits': String(lastHits),
        Level: String(random.between(12, 25)),
        Result: resultOf(played, side),
        'Tower Damage': String(random.below(9_000)),
        'XP Per Minute': String(random.between(300, 800)),
      };
    });
  };
  return [ofSide(0), ofSide(1)];
};

function resultOf({ winner }: PlayedGame, side: SideIndex): string {
  return winner === side ? '1' : '0';
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Splits a total into unequal parts, none above `most`. */
function partsOf(whole: number, count: number, most: number, random: Random): number[] {
  const weights = Array.from({ length: count }, () => random.between(60, 140));
  const sum = total(weights);
  const parts = weights.map((weight) => Math.min(most, Math.floor((whole * weight) / sum)));
  let left = whole - total(parts);
  for (let place = 0; left > 0; place = (place + 1) % count)
    if (parts[place] < most) {
      parts[place]++;
      left--;
    }
  return parts;
}
