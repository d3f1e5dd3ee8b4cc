import { DocumentOf, WorldDocuments } from '../test/world-documents';
import { WorldOptions } from './options';

const nowS = 1_792_540_800;
const nowMs = nowS * 1000;

/** Comparisons between several documents of one world. */
describe.each<WorldOptions>([
  { players: 200, matches: 100, seed: 1, nowS },
  { players: 1_000, matches: 400, seed: 7, nowS },
])('documents of one world agree: %j', (options) => {
  const world = new WorldDocuments(options);
  const matchesOf = world.by('match', ({ document }) => document.competition_id);

  it.each(world.all('tournament-brackets').map((content) => [content.document.name, content] as const))(
    'the bracket of %s has its first round, and each later one once the previous one is decided',
    (_, { id, document: { matches, rounds } }) => {
      const drawn = Math.max(...matches.map(({ round }) => round));
      for (const { round, matches: count, start_time } of rounds) {
        const ofRound = matches.filter((match) => match.round === round);
        expect(ofRound).toHaveLength(round <= drawn ? count : 0);
        expect(ofRound.map(({ position }) => position)).toEqual(ofRound.map((_match, place) => place + 1));
        for (const { match_id, state, results, teams } of ofRound) {
          expect(Object.keys(teams)).toEqual(['faction1', 'faction2']);
          const match = matchesOf.get(id)?.find(({ document }) => document.match_id === match_id)?.document;
          expect(match).toMatchObject({ status: state, round, scheduled_at: start_time });
          expect(match?.results).toEqual(results);
          expect(Object.values(match?.teams ?? {}).map(({ faction_id }) => faction_id)).toEqual(
            Object.values(teams).map(({ team_id }) => team_id),
          );
        }
        if (round === 1 || ofRound.length === 0) continue;
        const before = matches.filter((match) => match.round === round - 1);
        const winners = before.map(({ results, teams }) => results && teams[results.winner].team_id);
        expect(ofRound.flatMap(({ teams }) => Object.values(teams).map(({ team_id }) => team_id))).toEqual(winners);
      }
    },
  );

  it('tournaments count the teams that joined, and have all their matches played when they are finished', () => {
    const teams = world.by('tournament-team', ({ beside }) => beside.tournament_id);
    for (const { id, document } of world.all('tournament')) {
      const playersIn = (list: 'joined' | 'checked_in' | 'started') =>
        document.team_size * (teams.get(id) ?? []).filter(({ beside }) => beside.lists.includes(list)).length;
      expect(document).toMatchObject({
        subscriptions_count: teams.get(id)?.length,
        number_of_players_joined: playersIn('joined'),
        number_of_players_checkedin: playersIn('checked_in'),
        number_of_players_participants: playersIn('started'),
      });
      const statuses = new Set(matchesOf.get(id)?.map((match) => match.document.status));
      const isOver = document.status === 'finished' || document.status === 'cancelled';
      if (isOver) expect([...statuses]).toEqual([document.status.toUpperCase()]);
      expect(document.started_at > nowS).toBe(document.status === 'created' || document.status === 'join');
    }
  });

  it('times of a championship are in order, and its state is the current one', () => {
    for (const { document, beside } of world.all('championship')) {
      const { status, subscription_start, subscription_end, checkin_start, checkin_clear, championship_start } =
        document;
      const times = [
        ...[Date.parse(beside.created_at), subscription_start, subscription_end],
        ...[checkin_start, checkin_clear, championship_start],
      ];
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(Date.parse(beside.created_at)).toBeLessThan(nowMs);
      const isOpen = subscription_start <= nowMs && nowMs < subscription_end;
      expect([document.id, isOpen, document.subscriptions_locked]).toEqual([
        document.id,
        status === 'join',
        status !== 'join',
      ]);
      expect(championship_start > nowMs).toBe(status === 'join' || status === 'upcoming');
      expect(document.full).toBe(document.current_subscriptions === document.slots);
      expect(document.total_prizes).toBe(document.prizes.reduce((sum, { platform_points: points }) => sum + points, 0));
      expect(document.stream?.active ?? false).toBe(
        document.stream?.source !== '' && (status === 'ongoing' || status === 'started'),
      );
    }
  });

  it('subscriptions list as many players as are allowed, and a coach who does not play', () => {
    const championships = world.by('championship', ({ id }) => id);
    for (const { document, beside } of world.all('championship-subscription')) {
      const { roster, substitutes, coach, leader, coleader, team } = document;
      const championship = championships.get(beside.championship_id)?.[0].document;
      expect(substitutes.length).toBeLessThanOrEqual(championship?.substitution_configuration.max_substitutes ?? 0);
      expect(roster).toEqual(expect.arrayContaining([leader, coleader]));
      expect([...roster, ...substitutes]).not.toContain(coach);
      const named = [...roster, ...substitutes, coach].filter((id) => id !== '');
      expect(team.members.map(({ user_id }) => user_id)).toEqual(named);
    }
  });

  it('clans have matches of the last day if the last match was on it, and elo follows the competition', () => {
    for (const { document } of world.all('clan'))
      expect(document.matches_count_24h > 0).toBe(nowMs - Date.parse(document.last_match_finished) < 86_400_000);
    for (const { id, document } of world.all('tournament'))
      for (const match of matchesOf.get(id) ?? []) {
        expect(match.document.calculate_elo).toBe(document.calculate_elo);
        const rosters = Object.values(match.document.teams).flatMap(({ roster }) => roster);
        expect(new Set(rosters.map((player) => player.anticheat_required))).toEqual(
          new Set([document.anticheat_required]),
        );
      }
  });

  it('matches of a championship are in the round of its schedule', () => {
    for (const { id, document } of world.all('championship')) {
      const dates = Object.values(document.schedule).map(({ date }) => date);
      expect(dates).toHaveLength(document.total_rounds);
      expect(dates).toEqual([...dates].sort((a, b) => a - b));
      for (const { document: match } of matchesOf.get(id) ?? []) {
        expect(match.group).toBeLessThanOrEqual(document.total_groups);
        const scheduledMs = (match.scheduled_at ?? 0) * 1000;
        expect(scheduledMs).toBeGreaterThanOrEqual(dates[match.round - 1]);
        expect(scheduledMs).toBeLessThan(dates[match.round] ?? Infinity);
      }
      const present = Object.values(document.schedule).filter(({ status }) => status === 'ongoing');
      expect(present).toHaveLength(['ongoing', 'started', 'adjustment'].includes(document.status) ? 1 : 0);
    }
  });

  it('the times of a match agree with its state', () => {
    for (const { document } of world.all('match')) {
      const { status, scheduled_at = 0, configured_at, started_at, finished_at } = document;
      const times = [configured_at, started_at, finished_at].filter((time) => time !== undefined);
      const far = timesBy.get(status) ?? 0;
      expect([document.match_id, times.length]).toEqual([document.match_id, far]);
      expect([scheduled_at, ...times]).toEqual([scheduled_at, ...times].sort((a, b) => a - b));
      if (status === 'SCHEDULED') expect(scheduled_at).toBeGreaterThan(nowS);
      else expect(times.at(-1) ?? 0).toBeLessThanOrEqual(nowS);
      expect(document.instances.map(({ round }) => round)).toEqual(
        far < 2 ? [] : (document.detailed_results ?? [{}]).map((_, place) => place + 1),
      );
      expect(document.demo_url ?? []).toEqual(document.instances.flatMap(({ demos }) => demos));
      expect(document.broadcast_start_time ?? scheduled_at).toBe(scheduled_at);
    }
  });

  it('rankings start and end, rank no player too early, and give the points of their matches', () => {
    const boards = world.by('leaderboard', ({ id }) => id);
    for (const { document } of world.all('leaderboard')) {
      expect(document.start_date).toBeLessThan(document.end_date);
      expect(document.status).toBe(document.end_date > nowS ? 'ONGOING' : 'FINISHED');
    }
    for (const { document, beside } of world.all('leaderboard-entry')) {
      const board = boards.get(beside.leaderboard_id)?.[0].document;
      if (!board) throw new Error(`there is no leaderboard ${beside.leaderboard_id}`);
      const { played, won, lost, draw, points, current_streak, win_rate } = document;
      expect(played).toBe(won + lost + draw);
      expect(played).toBeGreaterThanOrEqual(board.min_matches);
      expect(current_streak).toBeLessThanOrEqual(won);
      expect(Math.abs(win_rate - won / played)).toBeLessThan(0.0051);
      if (board.leaderboard_type !== 'event')
        expect(points).toBe(board.starting_points + won * board.points_per_win + lost * board.points_per_loss);
    }
  });

  it('a league gives a player the same points as the leaderboard of the division, within its bounds', () => {
    const entries = world.by('leaderboard-entry', ({ id }) => id);
    const seasons = world.by('league-season', ({ id }) => id);
    for (const { document, beside } of world.all('league-player')) {
      const { division_name, leaderboard_id, points, division_tier } = document;
      expect(entries.get(`${leaderboard_id}:${beside.player_id}`)?.[0].document.points).toBe(points);
      const divisions = seasons.get(`${beside.league_id}:${beside.season_id}`)?.[0].document.divisions ?? [];
      const place = divisions.findIndex(({ name }) => name === division_name);
      const { leaderboard_config: config, tiers, leaderboards } = divisions[place];
      expect(leaderboards).toEqual([leaderboard_id]);
      expect(points).toBeGreaterThanOrEqual(config.starting_points);
      if (place < divisions.length - 1) expect(points).toBeLessThan(config.promotion.points);
      expect(tiers.filter(({ points_target }) => points >= points_target).at(-1)?.name).toBe(division_tier);
    }
  });

  it('no player of a hub has more matches in a season than in all time', () => {
    const generals = world.all('leaderboard').filter(({ document }) => document.leaderboard_type === 'hub_general');
    const general = new Map(generals.map(({ id, document }) => [document.competition_id, id]));
    const entries = world.by('leaderboard-entry', ({ id }) => id);
    const entriesOf = world.by('leaderboard-entry', ({ beside }) => beside.leaderboard_id);
    const stats = world.by('hub-player-stats', ({ id }) => id);
    for (const { id, document } of world.all('leaderboard')) {
      if (document.competition_type !== 'hub') continue;
      for (const entry of entriesOf.get(id) ?? []) {
        const player = entry.document.player.user_id;
        const total = entries.get(`${general.get(document.competition_id)}:${player}`)?.[0].document;
        expect(entry.document.played).toBeLessThanOrEqual(total?.played ?? 0);
        expect(entry.document.won).toBeLessThanOrEqual(total?.won ?? 0);
        const figures = stats.get(`${document.competition_id}:${player}`)?.[0].document.stats;
        expect(figures).toMatchObject({ Matches: String(total?.played), Wins: String(total?.won) });
      }
    }
  });

  it('friendship is mutual, and bans are active or over', () => {
    const players = new Map(world.all('player').map(({ id, document }) => [id, document]));
    const isBanned = new Set<string>();
    for (const { document } of world.all('player-ban')) {
      expect(document.starts_at < document.ends_at).toBe(true);
      if (Date.parse(document.ends_at) > nowMs) isBanned.add(document.user_id);
    }
    for (const { id, document, beside } of world.all('player')) {
      for (const friend of document.friends_ids) expect(players.get(friend)?.friends_ids).toContain(id);
      expect(document.friends_ids).not.toContain(id);
      expect(beside.status).toBe(isBanned.has(id) ? 'BANNED' : 'AVAILABLE');
    }
    for (const { document } of world.all('queue-ban')) {
      const { banStart, banEnd, createdAt, lastModified, expired, version } = document;
      expect(createdAt <= lastModified && banStart < banEnd).toBe(true);
      expect([expired, version > 1]).toEqual([Date.parse(banEnd) < nowMs, lastModified > createdAt]);
    }
  });

  it.each(['player-stats', 'team-stats'] as const)(
    '%s have no higher numbers on maps than over all matches',
    (kind) => {
      for (const { document } of world.all(kind)) {
        const { Matches, Wins, 'Recent Results': recent, 'Longest Win Streak': longest } = document.lifetime;
        expect(Number(Matches)).toBeGreaterThanOrEqual(sumOf(document, 'Matches'));
        expect(Number(Wins)).toBeGreaterThanOrEqual(sumOf(document, 'Wins'));
        const streak = recent.length - 1 - (recent as string[]).lastIndexOf('0');
        expect(document.lifetime['Current Win Streak']).toBe(String(streak));
        expect(Number(longest)).toBeGreaterThanOrEqual(streak);
        expect(Number(longest)).toBeLessThanOrEqual(Number(Wins));
      }
    },
  );
});

/** The number of times that a match has, by its state; other states have none. */
const timesBy = new Map([
  ['CONFIGURING', 1],
  ['READY', 1],
  ['ONGOING', 2],
  ['FINISHED', 3],
]);

type Statistics = DocumentOf<'player-stats' | 'team-stats'>['document'];

function sumOf({ segments }: Statistics, label: string): number {
  return segments.reduce((sum, { stats }) => sum + Number(stats[label]), 0);
}
