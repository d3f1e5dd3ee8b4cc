import { picture } from './addresses';
import { GameId } from './games';
import { Population, squadSize } from './population';
import { Source } from './random';
import { capitalized, leadingStems, packs, qualities } from './words';

/** The facts of a team that other documents repeat. */
export interface TeamFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** The name that searches use. */
  readonly nickname: string;
  /** Empty when it has none. */
  readonly avatar: string;
  readonly game: GameId;
  /** Indexes of its players, the leader first; five to seven. */
  readonly players: readonly number[];
}

/** The players of a team who play; the others are its substitutes. */
export const lineUpSize = 5;

/** The teams of the world: one per squad for its first game, and one more per fourth squad for its second. */
export class Teams {
  readonly count: number;
  private readonly ids: Source;
  private readonly facts: Source;

  constructor(
    seed: number,
    private readonly population: Population,
  ) {
    this.count = population.squads + Math.ceil(population.squads / 4);
    this.ids = new Source(seed, 'team');
    this.facts = new Source(seed, 'team facts');
  }

  /** The team of a squad for its first game has the squad's number. */
  factsOf(index: number): TeamFacts {
    const isFirst = index < this.population.squads;
    const squad = isFirst ? index : (index - this.population.squads) * 4;
    const pool = this.population.poolOfSquad(squad);
    const random = this.facts.random(index);
    const id = this.ids.uuid(index);
    const pack = random.pick(packs);
    const name = random.chance(50)
      ? `${capitalized(random.pick(leadingStems))} ${pack}`
      : `${random.pick(qualities)} ${pack} ${random.between(2, 999)}`;
    return {
      index,
      id,
      name,
      nickname: name.replaceAll(' ', ''),
      avatar: random.chance(60) ? picture('teams', id) : '',
      game: isFirst ? pool.game : pool.secondGame,
      players: Array.from({ length: random.between(5, 7) }, (_, place) => squad * squadSize + place),
    };
  }
}
