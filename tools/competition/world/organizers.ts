import { GameId, games } from './games';
import { Random, Source } from './random';
import { firms, qualities } from './words';

/** The facts of an organizer that other documents repeat. */
export interface OrganizerFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** The games that it runs competitions of. */
  readonly games: readonly GameId[];
}

/** The organizer whose id is a plain word; it runs the showcase. */
export const mainOrganizerId = 'podium-league';

/** An organizer's name in addresses of other sites. */
export function handleOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '');
}

const gameIds: readonly GameId[] = games.map(({ id }) => id);

/** The organizers of the world; the first runs competitions of every game. */
export class Organizers {
  private readonly ids: Source;
  private readonly facts: Source;

  constructor(
    seed: number,
    readonly count: number,
  ) {
    this.ids = new Source(seed, 'organizer');
    this.facts = new Source(seed, 'organizer facts');
  }

  factsOf(index: number): OrganizerFacts {
    if (index === 0) return { index, id: mainOrganizerId, name: 'Podium League', games: gameIds };
    const random = this.facts.random(index);
    const first = random.below(gameIds.length);
    const count = random.between(1, 3);
    return {
      index,
      id: this.ids.uuid(index),
      // Every pair of words once: organizers are found by their exact names.
      name: `${qualities[index % qualities.length]} ${firms[(index + Math.floor(index / qualities.length)) % firms.length]}`,
      games: gameIds.filter((_, place) => (place - first + gameIds.length) % gameIds.length < count),
    };
  }

  /** An organizer that runs competitions of a game. */
  pick(random: Random, game: GameId): OrganizerFacts {
    for (;;) {
      const facts = this.factsOf(random.skewed(this.count));
      if (facts.games.includes(game)) return facts;
    }
  }
}
