import { PlayerStats, TeamStats } from '@podium/messages';
import { GameRow } from './games';
import { Random } from './random';
import { picture } from './addresses';

/** Statistics under labels; numbers are texts. */
export type Labelled = Record<string, string>;

const hundredthTexts = Array.from({ length: 1_000 }, (_, hundredths) => (hundredths / 100).toFixed(2));

/** A quotient with two decimals; 0.00 for a division by nothing. */
export function ratio(part: number, whole: number): string {
  const hundredths = whole === 0 ? 0 : Math.round((part * 100) / whole);
  return hundredthTexts[hundredths] ?? (hundredths / 100).toFixed(2);
}

/** A share in whole per cent. */
export function percent(part: number, whole: number): string {
  return String(whole === 0 ? 0 : Math.round((part * 100) / whole));
}

/** A player's statistics over all matches of a game. */
export function playerLifetime(level: number, random: Random): PlayerStats['lifetime'] {
  const matches = random.between(5, 120) * random.between(1, 20);
  const wins = Math.round((matches * random.between(42, 58)) / 100);
  const kills = random.between(8, 12) + level;
  return {
    Matches: String(matches),
    Wins: String(wins),
    'Win Rate %': percent(wins, matches),
    'Recent Results': recentResults(random),
    'Current Win Streak': String(random.below(5)),
    'Longest Win Streak': String(random.between(5, 19)),
    'Average K/D Ratio': ratio(kills, random.between(12, 17)),
    'K/D Ratio': ratio(kills * matches, random.between(12, 17)),
    'Average Headshots %': String(random.between(30, 60)),
    'Total Headshots %': String(matches * random.between(30, 60)),
    'Total Matches': String(matches),
  };
}

/** A player's statistics on some of a game's maps. */
export function playerSegments(game: GameRow, level: number, random: Random): PlayerStats['segments'] {
  return segments(game, random, () => {
    const matches = random.between(3, 200);
    const wins = random.between(1, matches);
    const kills = matches * (random.between(8, 12) + level);
    const deaths = matches * random.between(11, 17);
    return {
      Matches: String(matches),
      Wins: String(wins),
      'Win Rate %': percent(wins, matches),
      Kills: String(kills),
      Deaths: String(deaths),
      Assists: String(matches * random.between(2, 6)),
      'K/D Ratio': ratio(kills, deaths),
      'Average Kills': ratio(kills, matches),
      'Average Deaths': ratio(deaths, matches),
      'Average K/D Ratio': ratio(kills, deaths),
      MVPs: String(random.below(matches * 3)),
      Rounds: String(matches * random.between(18, 26)),
    };
  });
}

/** A team's statistics over all matches of a game. */
export function teamLifetime(random: Random): TeamStats['lifetime'] {
  const matches = random.between(5, 400);
  const wins = Math.round((matches * random.between(35, 65)) / 100);
  return {
    Matches: String(matches),
    Wins: String(wins),
    'Win Rate %': percent(wins, matches),
    'Recent Results': recentResults(random),
    'Current Win Streak': String(random.below(5)),
    'Longest Win Streak': String(random.between(5, 19)),
    'Team Average K/D Ratio': ratio(random.between(80, 130), 100),
    'Team Headshots per Match': String(random.between(20, 50)),
    'Total matches': String(matches),
  };
}

/** A team's statistics on some of a game's maps. */
export function teamSegments(game: GameRow, random: Random): TeamStats['segments'] {
  return segments(game, random, () => {
    const matches = random.between(2, 90);
    const wins = random.between(1, matches);
    return {
      Matches: String(matches),
      Wins: String(wins),
      'Win Rate %': percent(wins, matches),
      'Team K/D Ratio': ratio(random.between(80, 130), 100),
      Kills: String(matches * random.between(60, 95)),
      Deaths: String(matches * random.between(60, 95)),
    };
  });
}

/** A player's statistics in a hub. */
export function hubStats(played: number, won: number, random: Random): Labelled {
  const kills = played * random.between(11, 22);
  const deaths = played * random.between(12, 18);
  return {
    Matches: String(played),
    Wins: String(won),
    'Win Rate %': percent(won, played),
    Kills: String(kills),
    Deaths: String(deaths),
    'Average K/D Ratio': ratio(kills, deaths),
    'Average Kills': ratio(kills, played),
  };
}

function recentResults(random: Random): string[] {
  return Array.from({ length: 5 }, () => String(random.below(2)));
}

function segments(game: GameRow, random: Random, stats: () => Labelled): PlayerStats['segments'] {
  const first = random.below(game.maps.length);
  return Array.from({ length: Math.min(game.maps.length, random.between(2, 4)) }, (_, place) => {
    const label = game.maps[(first + place) % game.maps.length];
    const image = encodeURIComponent(label);
    return {
      img_regular: picture('maps', image),
      img_small: picture('maps/small', image),
      label,
      mode: '5v5',
      stats: stats(),
      type: 'Map',
    };
  });
}
