import { CompetitionIndexFields, Organizer } from '@podium/messages';
import { page, picture } from '../addresses';
import { gameRow } from '../games';
import { handleOf, OrganizerFacts } from '../organizers';
import { Random, Source } from '../random';
import { World } from '../world';
import { documentOf, WorldDocument } from './document';

/** The organizers. */
export function* organizerDocuments({ options, organizers }: World): Generator<WorldDocument> {
  const details = new Source(options.seed, 'organizer details');
  for (let index = 0; index < organizers.count; index++) {
    const facts = organizers.factsOf(index);
    const random = details.random(index);
    yield documentOf('organizer', facts.id, organizerOf(facts, random), besideOf(facts, random));
  }
}

function organizerOf({ index, id, name }: OrganizerFacts, random: Random): Organizer {
  const handle = handleOf(name);
  const linked = (site: string) => (index === 0 || random.chance(60) ? `https://${site}.example/${handle}` : '');
  return {
    avatar: picture('organizers', id),
    cover: picture('organizers/covers', id),
    description: `${name} has run competitions for players of every level since ${2012 + random.below(12)}.`,
    facebook: linked('facebook'),
    platform_url: page('organizers', id),
    followers_count: random.skewed(250_000),
    name,
    organizer_id: id,
    twitch: linked('twitch'),
    twitter: linked('twitter'),
    type: index === 0 || random.chance(80) ? 'organization' : 'user',
    vk: linked('vk'),
    website: `https://${handle}.example`,
    youtube: linked('youtube'),
  };
}

function besideOf({ index, games: ownGames }: OrganizerFacts, random: Random): CompetitionIndexFields<'organizer'> {
  const regions = [...new Set(ownGames.flatMap((game) => gameRow(game).regions))];
  return {
    active: index === 0 || random.chance(90),
    partner: index === 0 || random.chance(15),
    countries: index === 0 ? ['de', 'fr', 'gb', 'us'] : [random.pick(['br', 'de', 'fr', 'gb', 'pl', 'se', 'sg', 'us'])],
    games: [...ownGames],
    regions,
  };
}
