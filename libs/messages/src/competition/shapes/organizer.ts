import { Static, Type } from '@sinclair/typebox';
import { id, image, integer, name, pageUrl, text, word } from './fields';

/** The organizer of competitions: an organization or a user. */
export const Organizer = Type.Object(
  {
    avatar: image('Avatar'),
    cover: image('Cover'),
    description: text('What the organizer says of itself'),
    facebook: text('Page there; empty when there is none'),
    platform_url: pageUrl(),
    followers_count: integer('Users who follow it'),
    name: name('Name'),
    organizer_id: id('UUID or plain word'),
    twitch: text('Page there; empty when there is none'),
    twitter: text('Page there; empty when there is none'),
    type: word('Known: organization, user'),
    vk: text('Page there; empty when there is none'),
    website: text('Own page; empty when there is none'),
    youtube: text('Page there; empty when there is none'),
  },
  { description: 'Who runs competitions: an organization or a user' },
);
export type Organizer = Static<typeof Organizer>;
