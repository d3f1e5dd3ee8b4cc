import { Static, Type } from '@sinclair/typebox';
import { dateTime, epochSeconds, id, image, integer, name, pageUrl, text, word, words } from './fields';

/** A championship, hub or tournament found by name. */
export const CompetitionSearchItem = Type.Object(
  {
    competition_id: id('UUID'),
    competition_type: word('championship, hub or tournament'),
    game: text('Game id'),
    name: name('Name'),
    number_of_members: integer('Members'),
    organizer_id: text('Who runs it'),
    organizer_name: text('Name of who runs it'),
    organizer_type: text('Kind of who runs it'),
    players_checkedin: integer('Players checked in'),
    players_joined: integer('Players joined'),
    prize_type: text('Kind of prizes'),
    region: text('Region'),
    slots: integer('Places'),
    started_at: epochSeconds('Start'),
    status: text('As in the details'),
    total_prize: text('Sum of the prizes'),
  },
  { description: 'A championship, hub or tournament found by name' },
);
export type CompetitionSearchItem = Static<typeof CompetitionSearchItem>;

/** A competition found by name, as stored: name and type of the organizer come from the organizer. */
export const StoredCompetitionSearchItem = Type.Omit(CompetitionSearchItem, ['organizer_name', 'organizer_type'], {
  description: 'A competition found by name, without what its organizer knows',
});
export type StoredCompetitionSearchItem = Static<typeof StoredCompetitionSearchItem>;

/** A clan; clans are served only as search results. */
export const ClanSearchItem = Type.Object(
  {
    avatar: Type.Optional(image('Omitted when there is none')),
    game: word('Game id'),
    id: id('The clan'),
    join: word('Known: public, invite, application'),
    last_match_finished: dateTime('End of the last match'),
    matches_count_24h: integer('Matches in 24 hours'),
    max_skill_level: integer('Highest level that may join'),
    members_count: integer('Members'),
    members_count_24h: integer('Members who joined in 24 hours'),
    min_skill_level: integer('Lowest level that may join'),
    name: name('Name'),
    organizer_id: text('Who runs it'),
    region: word('Region'),
    type: word('Kind of clan'),
  },
  { description: 'A clan found by name' },
);
export type ClanSearchItem = Static<typeof ClanSearchItem>;

/** An organizer found by name. */
export const OrganizerSearchItem = Type.Object(
  {
    active: Type.Boolean(),
    avatar: image('Avatar'),
    countries: words('Countries that it is active in'),
    games: words('Game ids'),
    name: name('Name'),
    organizer_id: id('UUID or plain word'),
    partner: Type.Boolean(),
    regions: words('Regions that it is active in'),
  },
  { description: 'An organizer found by name' },
);
export type OrganizerSearchItem = Static<typeof OrganizerSearchItem>;

/** A player found by nickname. */
export const PlayerSearchItem = Type.Object(
  {
    avatar: image('Avatar'),
    country: text('ISO 3166-1 code, upper case'),
    games: Type.Array(Type.Object({ name: text('Game id'), skill_level: text('Level, as a text') })),
    nickname: name('Nickname'),
    player_id: id('UUID'),
    status: text('State of the account'),
    verified: Type.Boolean(),
  },
  { description: 'A player found by nickname' },
);
export type PlayerSearchItem = Static<typeof PlayerSearchItem>;

/** A team found by name. */
export const TeamSearchItem = Type.Object(
  {
    avatar: image('Avatar'),
    chat_room_id: text('Its chat room'),
    platform_url: pageUrl(),
    game: text('Game id'),
    name: name('Name'),
    team_id: id('UUID'),
    verified: Type.Boolean(),
  },
  { description: 'A team found by name' },
);
export type TeamSearchItem = Static<typeof TeamSearchItem>;
