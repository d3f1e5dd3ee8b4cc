import { Championship, CompetitionDocument, recordKey } from '@podium/messages';
import { page, picture } from '../addresses';
import { ChampionshipFacts, roundAt } from '../championships';
import { dayS, hourS, iso } from '../clock';
import { documentOf, WorldDocument } from './document';
import { gameRow } from '../games';
import { handleOf } from '../organizers';
import { drawRecord, entryDocument, leaderboardDocument } from './leaderboards';
import { Random, Source } from '../random';
import { lineUpSize } from '../teams';
import { World } from '../world';
import { teamOf } from './teams';

/** Subscriptions open this many seconds before the start. */
const subscriptionS = 21 * dayS;

/** All documents of championships: themselves, subscriptions, results, leaderboards of their groups with points. */
export function* championshipDocuments(world: World): Generator<WorldDocument> {
  const { championships, options } = world;
  const details = new Source(options.seed, 'championship details');
  const rules = new Source(options.seed, 'championship rules');
  const screenings = new Source(options.seed, 'championship screening');
  for (let index = 0; index < championships.count; index++) {
    const facts = championships.factsOf(index);
    const random = details.random(index);
    const document = championshipOf(facts, rules.uuid(index), options.nowS, random);
    if (index === 0 || random.chance(20)) document.screening = { enabled: true, id: screenings.uuid(index) };
    yield documentOf('championship', facts.id, document, {
      published: facts.published,
      created_at: iso(facts.startS - subscriptionS - random.between(1, 20) * dayS - random.below(hourS)),
    });
    for (let place = 0; place < facts.teams; place++) yield subscriptionOf(facts, place, world, random);
    yield* resultsOf(facts, world);
    if (hasBegun(facts)) yield* boardsOf(facts, world, random);
  }
}

function championshipOf(
  facts: ChampionshipFacts,
  rulesId: string,
  nowS: number,
  random: Random,
): CompetitionDocument<'championship'> {
  const { id, index, name, game, region, organizer, status, startS, teams, groups, rounds } = facts;
  const startMs = startS * 1000;
  const hourMs = hourS * 1000;
  // As many as teams, or the next larger bracket.
  const slots = random.chance(30) ? teams : 2 ** (rounds + random.between(0, 2));
  const most = random.pick([500, 1000, 2500]);
  const prizes = [most, most / 2, most / 4].map((points, place) => ({ platform_points: points, rank: place + 1 }));
  return {
    anticheat_required: facts.isAnticheatRequired,
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
    join_checks: joinChecksOf(index, random),
    name,
    organizer_id: organizer.id,
    prizes,
    region,
    rules_id: rulesId,
    schedule: scheduleOf(facts, nowS),
    seeding_strategy: random.pick(['factionRating', 'random']),
    slots,
    status,
    stream: streamOf(facts),
    // An upcoming one no longer accepts teams.
    subscription_end: startMs - (status === 'upcoming' ? 5 * 24 : 1) * hourMs,
    subscription_start: startMs - subscriptionS * 1000,
    subscriptions_locked: status !== 'join',
    substitution_configuration: { max_substitutes: 2, max_substitutions: random.below(3) },
    total_groups: groups,
    total_prizes: prizes.reduce((sum, { platform_points: points }) => sum + points, 0),
    total_rounds: rounds,
    type:
      index === 0 ? 'stage' : random.pick(['bracket', 'doubleElimination', 'singleElimination', 'roundRobin', 'stage']),
  };
}

/** The second championship has the fields that most lack. */
function joinChecksOf(index: number, random: Random): Championship['join_checks'] {
  const isClosed = index === 1;
  const whitelist = isClosed || random.chance(10) ? ['de', 'at', 'ch'] : [];
  return {
    allowed_team_types: isClosed || random.chance(10) ? ['premade'] : [],
    blacklist_geo_countries: whitelist.length === 0 && (index === 2 || random.chance(5)) ? ['cn', 'kp'] : [],
    join_policy: isClosed || random.chance(10) ? 'invite' : 'public',
    max_skill_level: 10,
    membership_type: isClosed || random.chance(15) ? 'premium' : '',
    min_skill_level: random.between(1, 5),
    whitelist_geo_countries: whitelist,
    whitelist_geo_countries_min_players: whitelist.length === 0 ? 0 : lineUpSize - 2,
  };
}

/** One that is not broadcast has a stream without content: clients expect the object. */
function streamOf({ isStreamed, status, name, organizer }: ChampionshipFacts): Championship['stream'] {
  if (!isStreamed) return { active: false, platform: '', source: '', title: '' };
  return {
    active: status === 'ongoing' || status === 'started',
    platform: 'twitch',
    source: handleOf(organizer.name),
    title: `${name} live`,
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

function scheduleOf(facts: ChampionshipFacts, nowS: number): Championship['schedule'] {
  const { startS, rounds, roundS } = facts;
  return Object.fromEntries(
    Array.from({ length: rounds }, (_, place) => [
      String(place + 1),
      { date: (startS + place * roundS) * 1000, status: roundStatus(facts, place + 1, nowS) },
    ]),
  );
}

function roundStatus(facts: ChampionshipFacts, round: number, nowS: number): string {
  const { status } = facts;
  if (status === 'finished' || status === 'cancelled') return status;
  if (nowS < facts.startS) return 'scheduled';
  const present = roundAt(facts, nowS);
  if (round === present) return 'ongoing';
  return round < present ? 'finished' : 'scheduled';
}

function subscriptionOf(
  { id, groups, status, teamAt }: ChampionshipFacts,
  place: number,
  world: World,
  random: Random,
): WorldDocument {
  const facts = world.teams.factsOf(teamAt(place));
  const ids = facts.players.map((player) => world.players.idOf(player));
  // A coach does not play.
  const coach = ids.length > lineUpSize && random.chance(40) ? ids.pop() : undefined;
  return documentOf(
    'championship-subscription',
    recordKey(id, facts.id),
    {
      coach: coach ?? '',
      coleader: ids[1],
      group: (place % groups) + 1,
      leader: ids[0],
      roster: ids.slice(0, lineUpSize),
      status: status === 'join' || status === 'upcoming' || status === 'adjustment' ? 'joined' : status,
      substitutes: ids.slice(lineUpSize),
      team: teamOf(facts, world),
    },
    { championship_id: id },
  );
}

/** All places of a finished championship, and the lower half of one in progress, whose teams are eliminated. */
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
      round: 1,
      season: 0,
      start_date: facts.startS,
      status: facts.status === 'finished' ? 'FINISHED' : 'ONGOING',
    });
    for (let place = group - 1; place < facts.teams; place += facts.groups) {
      // A ranking of teams: all players of one have its record.
      const record = drawRecord(random, 12);
      for (const player of teams.factsOf(facts.teamAt(place)).players.slice(0, lineUpSize))
        yield entryDocument(leaderboardId, players.factsOf(player), record);
    }
  }
}
