import { Static, Type } from '@sinclair/typebox';
import { expandedFields } from './added-fields';
import { epochMilliseconds, id, image, int32, integer, mapOf, name, pageUrl, text, texts, word, words } from './fields';
import { Game } from './game';
import { Organizer } from './organizer';
import { Team } from './team';

/** Requirements on a participant of a championship. */
export const JoinChecks = Type.Object(
  {
    allowed_team_types: words('Empty: any'),
    blacklist_geo_countries: words('Countries that may not join'),
    join_policy: word('Who may join'),
    max_skill_level: integer('Highest level that may join'),
    membership_type: word('Membership that is needed; empty: none'),
    min_skill_level: integer('Lowest level that may join'),
    whitelist_geo_countries: words('Empty: any'),
    whitelist_geo_countries_min_players: integer('Players of a team who must be of these countries'),
  },
  { description: 'What a participant must meet' },
);

const Prize = Type.Object({
  platform_points: integer("In the service's own points"),
  rank: integer('Final place that wins it'),
});

/** A championship. All have `join_checks` and `substitution_configuration`; only some have `screening`. */
export const Championship = Type.Object(
  {
    anticheat_required: Type.Boolean(),
    avatar: image('Avatar'),
    background_image: image('Background'),
    championship_id: id('UUID'),
    championship_start: epochMilliseconds('Start'),
    checkin_clear: epochMilliseconds('When those who have not checked in are removed'),
    checkin_enabled: Type.Boolean(),
    checkin_start: epochMilliseconds('Start of the check-in'),
    cover_image: image('Cover'),
    current_subscriptions: integer('Teams subscribed'),
    description: text('What it is about'),
    platform_url: pageUrl(),
    featured: Type.Boolean(),
    full: Type.Boolean({ description: 'No slot is left' }),
    game_data: Type.Optional(Game),
    game_id: id('Game that is played'),
    id: id('The same as championship_id'),
    join_checks: JoinChecks,
    name: name('Name'),
    organizer_data: Type.Optional(Organizer),
    organizer_id: id('Who runs it'),
    prizes: Type.Array(Prize),
    region: word('Known: EU, NA, US, SA, SEA, OCE, RU, GLOBAL'),
    rules_id: text('Its rules'),
    schedule: mapOf(Type.Object({ date: epochMilliseconds('Start'), status: word('State of the round') }), {
      description: 'By number of the round',
    }),
    screening: Type.Optional(
      Type.Object({ enabled: Type.Boolean(), id: text('The screening') }, { description: 'Omitted when not set' }),
    ),
    seeding_strategy: word('How participants are seeded'),
    slots: integer('Places for participants'),
    status: word('Known: join, upcoming, started, ongoing, adjustment, finished, cancelled'),
    stream: Type.Optional(
      Type.Object(
        {
          active: Type.Boolean(),
          platform: text('Where it is streamed'),
          source: text('Channel there'),
          title: text('Title'),
        },
        { description: 'Its broadcast: not active, and with empty texts, when there is none' },
      ),
    ),
    subscription_end: epochMilliseconds('End of subscriptions'),
    subscription_start: epochMilliseconds('Start of subscriptions'),
    subscriptions_locked: Type.Boolean(),
    substitution_configuration: Type.Object({
      max_substitutes: integer('Substitutes of a team'),
      max_substitutions: integer('Substitutions of a team; 0: none'),
    }),
    total_groups: integer('Groups'),
    total_prizes: integer('Sum of the prizes'),
    total_rounds: integer('Rounds'),
    type: word('Known: bracket, doubleElimination, singleElimination, roundRobin, stage'),
  },
  { description: 'A championship; game_data and organizer_data only where they are asked for' },
);
export type Championship = Static<typeof Championship>;

/** A championship as stored: the game and the organizer are separate documents. */
export const StoredChampionship = Type.Omit(Championship, expandedFields, {
  description: 'A championship without its game and organizer',
});
export type StoredChampionship = Static<typeof StoredChampionship>;

/** A placement: a placement range of a championship and the participants who share it. */
export const ChampionshipResult = Type.Object(
  {
    bounds: Type.Object({ left: int32('First place, 1-based'), right: int32('Last place') }),
    placements: Type.Array(
      Type.Object({ id: id('Participant'), name: name('Name'), type: word('Kind of participant') }),
    ),
  },
  { description: 'A range of places and the participants who share it' },
);
export type ChampionshipResult = Static<typeof ChampionshipResult>;

/** A team that subscribed to a championship. */
export const ChampionshipSubscription = Type.Object(
  {
    coach: text('Player id; empty when there is none'),
    coleader: text('Player id; empty when there is none'),
    group: int32('Group that it plays in'),
    leader: text('Player id'),
    roster: texts('Player ids'),
    status: word('State of the subscription'),
    substitutes: texts('Player ids'),
    team: Team,
  },
  { description: 'A team that subscribed to a championship' },
);
export type ChampionshipSubscription = Static<typeof ChampionshipSubscription>;
