import { Championships } from './championships';
import { Hubs } from './hubs';
import { PlayerFacts, Players } from './players';
import { Population, Pool } from './population';
import { Random } from './random';
import { lineUpSize, Teams } from './teams';

/** A side of a match: a team of a competition, or a drawn group of players. */
export interface MatchSide {
  /** The team's id; of a drawn side, the leader's. */
  readonly id: string;
  readonly name: string;
  readonly avatar: string;
  /** Empty for a drawn side. */
  readonly type: string;
  readonly players: readonly PlayerFacts[];
  readonly substitutes: readonly PlayerFacts[];
}

/** Draws the players of a match; a few players of a competition are drawn far more often than the others. */
export class MatchSides {
  constructor(
    private readonly population: Population,
    private readonly players: Players,
    private readonly teams: Teams,
    private readonly hubs: Hubs,
    private readonly championships: Championships,
  ) {}

  /** Members of a hub; the first place is in the match where `withFirst`. */
  ofHub(hub: number, random: Random, withFirst: boolean): [MatchSide, MatchSide] {
    const { members, memberAt } = this.hubs.factsOf(hub);
    return this.drawn(members, memberAt, random, withFirst);
  }

  /** Players of a pool. */
  ofPool(pool: Pool, random: Random, withFirst: boolean): [MatchSide, MatchSide] {
    const playerAt = (place: number) => this.population.playerAt(pool, place);
    return this.drawn(this.population.playersIn(pool), playerAt, random, withFirst);
  }

  /** Two teams of one group of a championship; also returns the group. */
  ofChampionship(
    championship: number,
    random: Random,
    withFirst: boolean,
  ): { sides: [MatchSide, MatchSide]; group: number } {
    const { teams, groups, teamAt } = this.championships.factsOf(championship);
    const first = withFirst ? 0 : random.below(teams);
    const group = first % groups;
    const inGroup = Math.ceil((teams - group) / groups);
    const step = 1 + random.below(inGroup - 1);
    const second = ((Math.floor(first / groups) + step) % inGroup) * groups + group;
    return { sides: [this.ofTeam(teamAt(first)), this.ofTeam(teamAt(second))], group: group + 1 };
  }

  ofTeam(index: number): MatchSide {
    const { id, name, avatar, players } = this.teams.factsOf(index);
    const facts = players.map((player) => this.players.factsOf(player));
    return {
      id,
      name,
      avatar,
      type: 'premade',
      players: facts.slice(0, lineUpSize),
      substitutes: facts.slice(lineUpSize),
    };
  }

  private drawn(
    total: number,
    playerAt: (place: number) => number,
    random: Random,
    withFirst: boolean,
  ): [MatchSide, MatchSide] {
    const places: number[] = withFirst ? [0] : [];
    while (places.length < 2 * lineUpSize) {
      let place = random.skewed(total);
      while (places.includes(place)) place = (place + 1) % total;
      places.push(place);
    }
    const facts = places.map((place) => this.players.factsOf(playerAt(place)));
    return [drawnSide(facts.slice(0, lineUpSize)), drawnSide(facts.slice(lineUpSize))];
  }
}

function drawnSide(players: readonly PlayerFacts[]): MatchSide {
  const [leader] = players;
  return {
    id: leader.id,
    name: `team_${leader.nickname}`,
    avatar: leader.avatar,
    type: '',
    players,
    substitutes: [],
  };
}
