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

/** A player's statistics in a game: over all matches, and on some of the game's maps. */
export function playerStatistics(
  game: GameRow,
  level: number,
  random: Random,
): Pick<PlayerStats, 'lifetime' | 'segments'> {
  const record = { matches: random.between(12, 120) * random.between(1, 20), winPercent: random.between(42, 58) };
  const wins = winsOf(record);
  const kills = random.between(8, 12) + level;
  const deaths = random.between(12, 17);
  const headshots = random.between(30, 60);
  return {
    lifetime: {
      Matches: String(record.matches),
      Wins: String(wins),
      'Win Rate %': percent(wins, record.matches),
      ...lastResults(wins, random),
      'Average K/D Ratio': ratio(kills, deaths),
      'K/D Ratio': ratio(kills * record.matches, deaths),
      'Average Headshots %': String(headshots),
      'Total Headshots %': String(record.matches * headshots),
      'Total Matches': String(record.matches),
    },
    segments: segmentsOf(game, record, random, (played, won) => playerSegment(game, level, played, won, random)),
  };
}

/** Averages are per match; a literal for each family, because V8 is slow to spread many fields. */
function playerSegment(game: GameRow, level: number, matches: number, wins: number, random: Random): Labelled {
  const kills = matches * (random.between(8, 12) + level);
  const deaths = matches * random.between(11, 17);
  const assists = matches * random.between(2, 6);
  if (game.family === 'arena')
    return {
      Matches: String(matches),
      Wins: String(wins),
      'Win Rate %': percent(wins, matches),
      Kills: String(kills),
      Deaths: String(deaths),
      Assists: String(assists),
      'K/D Ratio': ratio(kills, deaths),
      'Average Kills': ratio(kills, matches),
      'Average Deaths': ratio(deaths, matches),
      'Average Assists': ratio(assists, matches),
      'Average K/D Ratio': ratio(kills, deaths),
    };
  const rounds = matches * random.between(18, 26);
  const headshots = Math.round((kills * random.between(30, 60)) / 100);
  const mvps = random.below(matches * 3);
  const triples = random.below(matches + 1);
  const quadros = random.below(1 + Math.floor(matches / 4));
  const pentas = random.below(1 + Math.floor(matches / 20));
  return {
    Matches: String(matches),
    Wins: String(wins),
    'Win Rate %': percent(wins, matches),
    Rounds: String(rounds),
    Kills: String(kills),
    Deaths: String(deaths),
    Assists: String(assists),
    MVPs: String(mvps),
    Headshots: String(headshots),
    'Triple Kills': String(triples),
    'Quadro Kills': String(quadros),
    'Penta Kills': String(pentas),
    'K/D Ratio': ratio(kills, deaths),
    'K/R Ratio': ratio(kills, rounds),
    'Average Kills': ratio(kills, matches),
    'Average Deaths': ratio(deaths, matches),
    'Average Assists': ratio(assists, matches),
    'Average MVPs': ratio(mvps, matches),
    'Average Triple Kills': ratio(triples, matches),
    'Average Quadro Kills': ratio(quadros, matches),
    'Average Penta Kills': ratio(pentas, matches),
    'Average K/D Ratio': ratio(kills, deaths),
    'Average K/R Ratio': ratio(kills, rounds),
    'Average Headshots %': percent(headshots, kills),
    'Total Headshots %': percent(headshots * matches, kills),
    'Headshots per Match': ratio(headshots, matches),
  };
}

/** A team's statistics in a game: over all matches, and on some of the game's maps. */
export function teamStatistics(game: GameRow, random: Random): Pick<TeamStats, 'lifetime' | 'segments'> {
  const record = { matches: random.between(15, 400), winPercent: random.between(35, 65) };
  const wins = winsOf(record);
  return {
    lifetime: {
      Matches: String(record.matches),
      Wins: String(wins),
      'Win Rate %': percent(wins, record.matches),
      ...lastResults(wins, random),
      'Team Average K/D Ratio': ratio(random.between(80, 130), 100),
      'Team Headshots per Match': String(random.between(20, 50)),
      'Total matches': String(record.matches),
    },
    segments: segmentsOf(game, record, random, (matches, won) => {
      const kills = matches * random.between(60, 95);
      const deaths = matches * random.between(60, 95);
      return {
        Matches: String(matches),
        Wins: String(won),
        'Win Rate %': percent(won, matches),
        'Team K/D Ratio': ratio(kills, deaths),
        Kills: String(kills),
        Deaths: String(deaths),
      };
    }),
  };
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

/** A record in a game; at least five matches were won and five lost. */
interface GameRecord {
  readonly matches: number;
  readonly winPercent: number;
}

function winsOf({ matches, winPercent }: GameRecord): number {
  return Math.round((matches * winPercent) / 100);
}

/** The last five results, the latest last, and the matching streaks. */
function lastResults(wins: number, random: Random): PlayerStats['lifetime'] {
  const results = Array.from({ length: 5 }, () => String(random.below(2)));
  const current = results.length - 1 - results.lastIndexOf('0');
  return {
    'Recent Results': results,
    'Current Win Streak': String(current),
    'Longest Win Streak': String(Math.max(current, Math.min(wins, random.between(5, 19)))),
  };
}

/** Segments of some maps, which share the matches and wins between them. */
function segmentsOf(
  game: GameRow,
  record: GameRecord,
  random: Random,
  statsOf: (matches: number, wins: number) => Labelled,
): PlayerStats['segments'] {
  const first = random.below(game.maps.length);
  let matchesLeft = record.matches;
  let winsLeft = winsOf(record);
  return Array.from({ length: Math.min(game.maps.length, random.between(2, 4)) }, (_, place) => {
    const matches = Math.max(1, Math.floor((matchesLeft * random.between(20, 45)) / 100));
    const wins = Math.min(winsLeft, Math.round((matches * (record.winPercent + random.between(-3, 3))) / 100));
    matchesLeft -= matches;
    winsLeft -= wins;
    const label = game.maps[(first + place) % game.maps.length];
    const image = encodeURIComponent(label);
    return {
      img_regular: picture('maps', image),
      img_small: picture('maps/small', image),
      label,
      mode: '5v5',
      stats: statsOf(matches, wins),
      type: 'Map',
    };
  });
}
