import { League, recordKey } from '@podium/messages';
import { picture } from '../addresses';
import { dayS, iso } from '../clock';
import { documentOf, WorldDocument } from './document';
import { drawStreak, entryDocument, leaderboardDocument, pointsOf, pointsPerLoss, pointsPerWin } from './leaderboards';
import { DivisionRow, divisions, LeagueFacts, Leagues, pointsPerTier, seasons, tiers } from '../leagues';
import { PlayerFacts } from '../players';
import { Random, Source } from '../random';
import { World } from '../world';

const seasonS = 60 * dayS;

/** Matches before a player is placed in a season. */
const placementMatches = 5;

/** All documents of leagues: themselves, seasons, the leaderboards of their divisions, players with their points. */
export function* leagueDocuments({
  options: { seed, nowS },
  leagues,
  matchmakings,
  players,
}: World): Generator<WorldDocument> {
  const details = new Source(seed, 'league details');
  for (let index = 0; index < leagues.count; index++) {
    const league = leagues.factsOf(index);
    const { id, pool } = league;
    const all = Array.from({ length: seasons }, (_, place) => seasonOf(league, leagues, place + 1, nowS));
    const present = all[seasons - 1];
    yield documentOf(
      'league',
      id,
      { ...present, game: pool.game, id, min_matches: placementMatches, region: pool.region },
      {},
    );
    for (const season of all) {
      const number = season.season.number;
      yield documentOf('league-season', recordKey(id, String(number)), season, { league_id: id });
      const matchmakingId = matchmakings.idOf(pool.index);
      for (let division = 0; division < divisions.length; division++)
        yield boardOf(league, leagues, season, division, matchmakingId, nowS);
      const random = details.random(index * seasons + number);
      for (let place = 0; place < league.players; place++)
        yield* placeOf(league, leagues, number, players.factsOf(league.playerAt(place)), random);
    }
  }
}

/** The current season began 40 days ago. */
function seasonOf(
  league: LeagueFacts,
  leagues: Leagues,
  number: number,
  nowS: number,
): Pick<League, 'divisions' | 'season'> {
  const startS = nowS - 40 * dayS - (seasons - number) * seasonS;
  return {
    divisions: divisions.map((row, division) =>
      divisionOf(row, leagues.leaderboardIdOf(league.index, number, division)),
    ),
    season: {
      end_date: iso(startS + seasonS),
      number,
      placement_match_count: placementMatches,
      start_date: iso(startS),
    },
  };
}

function divisionOf(row: DivisionRow, leaderboardId: string): League['divisions'][number] {
  return {
    assets: {
      color: row.color,
      icon: picture('divisions/icons', row.type, 'svg'),
      image: picture('divisions', row.type, 'png'),
    },
    config_type: 'points',
    leaderboard_config: {
      max_players: 100_000,
      points_per_loss: pointsPerLoss,
      points_per_win: pointsPerWin,
      promotion: { points: promotionPoints(row) },
      relegation: { consecutive_losses: 10 },
      starting_points: row.leastPoints,
    },
    leaderboards: [leaderboardId],
    max_elo: row.maxElo,
    min_elo: row.minElo,
    name: row.name,
    tiers: tiers.map((name, place) => ({
      name,
      points_target: row.leastPoints + place * pointsPerTier,
      rank: place + 1,
    })),
    type: row.type,
  };
}

function boardOf(
  { index, pool }: LeagueFacts,
  leagues: Leagues,
  { season }: Pick<League, 'season'>,
  division: number,
  matchmakingId: string,
  nowS: number,
): WorldDocument {
  const endS = Date.parse(season.end_date) / 1000;
  return leaderboardDocument({
    competition_id: matchmakingId,
    competition_type: 'matchmaking',
    end_date: endS,
    game_id: pool.game,
    group: 0,
    leaderboard_id: leagues.leaderboardIdOf(index, season.number, division),
    leaderboard_name: `${divisions[division].name} season ${season.number}`,
    leaderboard_type: 'event',
    min_matches: placementMatches,
    ranking_type: 'solo',
    region: pool.region,
    season: season.number,
    starting_points: divisions[division].leastPoints,
    start_date: Date.parse(season.start_date) / 1000,
    status: endS > nowS ? 'ONGOING' : 'FINISHED',
  });
}

function* placeOf(
  { index, id }: LeagueFacts,
  leagues: Leagues,
  season: number,
  player: PlayerFacts,
  random: Random,
): Generator<WorldDocument> {
  const division = divisionFor(player.rating.elo);
  const row = divisions[division];
  const played = placementMatches + random.skewed(80);
  const won = Math.round((played * random.between(40, 65)) / 100);
  const points = pointsIn(row, pointsOf(played, won));
  const tier = Math.min(tiers.length - 1, Math.floor((points - row.leastPoints) / pointsPerTier));
  const leaderboardId = leagues.leaderboardIdOf(index, season, division);
  yield documentOf(
    'league-player',
    recordKey(id, String(season), player.id),
    {
      division_name: row.name,
      division_tier: tiers[tier],
      division_type: row.type,
      leaderboard_id: leaderboardId,
      points,
    },
    { league_id: id, season_id: season, player_id: player.id },
  );
  yield entryDocument(leaderboardId, player, { played, won, streak: drawStreak(won, random) }, points);
}

/** Points in a division: no player falls below its minimum, and one who reaches the next division is promoted. */
function pointsIn(row: DivisionRow, gained: number): number {
  const most = row === divisions.at(-1) ? Infinity : promotionPoints(row) - 1;
  return row.leastPoints + Math.min(Math.max(0, gained), most - row.leastPoints);
}

function promotionPoints({ leastPoints }: DivisionRow): number {
  return leastPoints + tiers.length * pointsPerTier;
}

function divisionFor(elo: number): number {
  const found = divisions.findIndex(({ maxElo }) => elo <= maxElo);
  return found < 0 ? divisions.length - 1 : found;
}
