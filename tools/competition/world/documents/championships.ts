import { Championship, CompetitionDocument, recordKey } from '@podium/messages';
import { page, picture } from '../addresses';
import { ChampionshipFacts } from '../championships';
import { dayS, hourS, iso } from '../clock';
import { documentOf, WorldDocument } from './document';
import { gameRow } from '../games';
import { drawRecord, entryDocument, leaderboardDocument } from './leaderboards';
import { Random, Source } from '../random';
import { lineUpSize } from '../teams';
import { World } from '../world';
import { teamOf } from './teams';

/** Everything about championships: themselves, subscriptions, results, leaderboards of their groups with points. */
export function* championshipDocuments(world: World): Generator<WorldDocument> {
  const { championships, options } = world;
  const details = new Source(options.seed, 'championship details');
  for (let index = 0; index < championships.count; index++) {
    const facts = championships.factsOf(index);
    const random = details.random(index);
    yield documentOf('championship', facts.id, championshipOf(facts, random), {
      published: facts.published,
      created_at: iso(facts.startS - random.between(20, 40) * dayS - random.below(hourS)),
    });
    for (let place = 0; place < facts.teams; place++) yield subscriptionOf(facts, place, world, random);
    yield* resultsOf(facts, world);
    if (hasBegun(facts)) yield* boardsOf(facts, world, random);
  }
}

function championshipOf(facts: ChampionshipFacts, random: Random): CompetitionDocument<'championship'> {
  const { id, index, name, game, region, organizer, status, startS, teams, groups } = facts;
  const startMs = startS * 1000;
  const hourMs = hourS * 1000;
  const slots = Math.max(teams, random.pick([16, 32, 64, 128]));
  const rounds = Math.max(1, Math.ceil(Math.log2(teams)));
  const prizes = [1000, 500, 250].map((points, place) => ({ platform_points: points, rank: place + 1 }));
  return {
    anticheat_required: random.chance(40),
    avatar: picture('championships', id),
    background_image: picture('championships/backgrounds', id),
    championship_id: id,
    championship_start: startMs,
    checkin_clear: startMs - hourMs / 12,
    checkin_enabled: true,
    checkin_start: startMs - hourMs,
    cover_image: picture('championships/covers', id),
    current_subscriptions: teams,
    description: descriptionOf(facts),
    platform_url: page('championship', id),
    featured: index === 0 || random.chance(10),
    full: teams === slots,
    game_id: game,
    id,
    join_checks: {
      allowed_team_types: [],
      blacklist_geo_countries: [],
      join_policy: 'public',
      max_skill_level: 10,
      membership_type: random.chance(15) ? 'premium' : '',
      min_skill_level: random.between(1, 5),
      whitelist_geo_countries: random.chance(10) ? ['de', 'at', 'ch'] : [],
      whitelist_geo_countries_min_players: 0,
    },
    name,
    organizer_id: organizer.id,
    prizes,
    region,
    rules_id: `rules-${id.slice(0, 8)}`,
    schedule: scheduleOf(facts, rounds),
    ...(random.chance(20) && { screening: { enabled: true, id: `screening-${id.slice(0, 8)}` } }),
    seeding_strategy: random.pick(['factionRating', 'random']),
    slots,
    status,
    ...((index === 0 || random.chance(25)) && {
      stream: { active: status === 'ongoing', platform: 'twitch', source: organizer.name, title: `${name} live` },
    }),
    subscription_end: startMs - hourMs,
    subscription_start: startMs - 14 * 24 * hourMs,
    subscriptions_locked: status !== 'join',
    substitution_configuration: { max_substitutes: 2, max_substitutions: random.below(3) },
    total_groups: groups,
    total_prizes: prizes.reduce((sum, { platform_points: points }) => sum + points, 0),
    total_rounds: rounds,
    type:
      index === 0 ? 'stage' : random.pick(['bracket', 'doubleElimination', 'singleElimination', 'roundRobin', 'stage']),
  };
}

function descriptionOf({ name, game, region, organizer }: ChampionshipFacts): string {
  return [
    `${name} brings teams of ${region} together for one of the most demanding events of the season, run by ${organizer.name}.`,
    `All matches are played in ${gameRow(game).longLabel}, five against five, with up to two substitutes per team.`,
    'Groups are seeded by the average rating of the line-up; the best teams of each group go on to the play-offs.',
    'Teams check in during the hour before the start. Who does not check in gives up the slot to the next on the list.',
    'Disputes are to be reported in the match room within fifteen minutes, with evidence.',
  ].join('\n');
}

function scheduleOf({ startS, endS, status }: ChampionshipFacts, rounds: number): Championship['schedule'] {
  const stepS = Math.floor((endS - startS) / rounds / hourS) * hourS;
  const state = status === 'finished' ? 'finished' : status === 'cancelled' ? 'cancelled' : 'scheduled';
  return Object.fromEntries(
    Array.from({ length: rounds }, (_, round) => [
      String(round + 1),
      { date: (startS + round * stepS) * 1000, status: state },
    ]),
  );
}

function subscriptionOf(
  { id, groups, status, teamAt }: ChampionshipFacts,
  place: number,
  world: World,
  random: Random,
): WorldDocument {
  const facts = world.teams.factsOf(teamAt(place));
  const ids = facts.players.map((player) => world.players.idOf(player));
  return documentOf(
    'championship-subscription',
    recordKey(id, facts.id),
    {
      coach: random.chance(20) ? (ids.at(-1) ?? '') : '',
      coleader: ids[1],
      group: (place % groups) + 1,
      leader: ids[0],
      roster: ids.slice(0, lineUpSize),
      status: status === 'join' ? 'joined' : status,
      substitutes: ids.slice(lineUpSize),
      team: teamOf(facts, world),
    },
    { championship_id: id },
  );
}

/** All places of a finished championship, the lower half of one under way: those teams are out. */
function* resultsOf(
  { id, status, teams: count, teamAt }: ChampionshipFacts,
  { teams }: World,
): Generator<WorldDocument> {
  if (status !== 'finished' && status !== 'ongoing') return;
  for (let left = 1, right = 1; left <= count; left = right + 1, right = 2 * (left - 1)) {
    if (status === 'ongoing' && left <= count / 2) continue;
    const last = Math.min(right, count);
    const placements = Array.from({ length: last - left + 1 }, (_, offset) => {
      const team = teams.factsOf(teamAt(left - 1 + offset));
      return { id: team.id, name: team.name, type: 'team' };
    });
    yield documentOf(
      'championship-result',
      recordKey(id, String(left)),
      { bounds: { left, right: last }, placements },
      { championship_id: id },
    );
  }
}

function hasBegun({ status }: ChampionshipFacts): boolean {
  return status !== 'join' && status !== 'upcoming' && status !== 'cancelled';
}

function* boardsOf(
  facts: ChampionshipFacts,
  { championships, teams, players }: World,
  random: Random,
): Generator<WorldDocument> {
  for (let group = 1; group <= facts.groups; group++) {
    const leaderboardId = championships.leaderboardIdOf(facts.index, group);
    yield leaderboardDocument({
      competition_id: facts.id,
      competition_type: 'championship',
      end_date: facts.endS,
      game_id: facts.game,
      group,
      leaderboard_id: leaderboardId,
      leaderboard_name: `${facts.name} group ${group}`,
      leaderboard_type: 'championship',
      ranking_type: 'team',
      region: facts.region,
      season: 0,
      start_date: facts.startS,
      status: facts.status === 'finished' ? 'FINISHED' : 'ONGOING',
    });
    for (let place = group - 1; place < facts.teams; place += facts.groups)
      for (const player of teams.factsOf(facts.teamAt(place)).players.slice(0, lineUpSize))
        yield entryDocument(leaderboardId, players.factsOf(player), drawRecord(random), random);
  }
}
