import { Static, Type } from '@sinclair/typebox';
import { id, image, integer, name, pageUrl, text, word, words } from './fields';

/** A player as a team member or as the holder of a rank. */
export const TeamMember = Type.Object(
  {
    avatar: Type.Optional(image('Omitted when there is none')),
    country: word('ISO 3166-1 code'),
    platform_url: pageUrl(),
    membership_type: word('Known: free, plus, premium, unlimited'),
    memberships: words('All memberships'),
    nickname: name('Nickname'),
    skill_level: integer('Level in the game'),
    user_id: id('Player id'),
  },
  { description: 'A player as the member of a team or the holder of a rank' },
);
export type TeamMember = Static<typeof TeamMember>;

/** A team; pictures and pages are omitted when there are none. */
export const Team = Type.Object(
  {
    avatar: Type.Optional(image('Omitted when there is none')),
    chat_room_id: text('Its chat room'),
    cover_image: Type.Optional(image('Omitted when there is none')),
    description: text('What the team says of itself'),
    facebook: Type.Optional(text('Page there')),
    platform_url: Type.Optional(pageUrl()),
    game: word('Game id'),
    leader: text('Player id'),
    members: Type.Array(TeamMember),
    name: name('Name'),
    nickname: name('Short name'),
    team_id: id('UUID'),
    team_type: word('Kind of team'),
    twitter: Type.Optional(text('Page there')),
    website: Type.Optional(text('Own page')),
    youtube: Type.Optional(text('Page there')),
  },
  { description: 'A team with its members' },
);
export type Team = Static<typeof Team>;
