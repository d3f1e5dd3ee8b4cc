import { picture } from '../addresses';
import { dayS, iso } from '../clock';
import { documentOf, WorldDocument } from './document';
import { mainPool, pools } from '../population';
import { Source } from '../random';
import { World } from '../world';
import { capitalized, leadingStems, packs, trailingStems } from '../words';

/** Name of the first clan. */
export const showcaseClanName = 'Clan Podium';

/** Id of a clan. */
export function clanIdOf(seed: number, index: number): string {
  return new Source(seed, 'clan').uuid(index);
}

/** Clans; they exist only in search results. */
export function* clanDocuments({ options: { seed, nowS }, sizes, organizers }: World): Generator<WorldDocument> {
  const ids = new Source(seed, 'clan');
  const facts = new Source(seed, 'clan facts');
  for (let index = 0; index < sizes.clans; index++) {
    const random = facts.random(index);
    const pool = index === 0 ? mainPool : random.pick(pools);
    const id = ids.uuid(index);
    const stem = capitalized(random.pick(leadingStems));
    // The first has played today.
    const lastMatchS = random.skewed(index === 0 ? dayS : 90 * dayS);
    const pack = random.pick(random.chance(50) ? packs : trailingStems);
    yield documentOf(
      'clan',
      id,
      {
        ...(random.chance(60) && { avatar: picture('clans', id) }),
        game: pool.game,
        id,
        join: random.pick(['public', 'invite', 'application']),
        last_match_finished: iso(nowS - lastMatchS),
        matches_count_24h: lastMatchS < dayS ? 1 + random.skewed(60) : 0,
        max_skill_level: 10,
        members_count: random.between(5, 400),
        members_count_24h: random.below(6),
        min_skill_level: random.between(1, 5),
        name: index === 0 ? showcaseClanName : `${stem} ${pack}`,
        organizer_id: index === 0 ? organizers.factsOf(0).id : organizers.pick(random, pool.game).id,
        region: pool.region,
        type: random.pick(['clan', 'community']),
      },
      {},
    );
  }
}
