import { Fixtures } from './fixtures';
import { MatchIds, SideIndex } from './match-ids';
import { Fixture, MatchPlan, PlayedGame } from './match-plan';
import { Random, Source } from './random';

/** The matches of the world; each is a function of its index. */
export class Matches {
  private readonly plans: Source;

  constructor(
    seed: number,
    private readonly ids: MatchIds,
    private readonly fixtures: Fixtures,
  ) {
    this.plans = new Source(seed, 'match plan');
  }

  idOf(index: number): string {
    return this.ids.idOf(index);
  }

  planOf(index: number): MatchPlan {
    const random = this.plans.random(index);
    const fixture = this.fixtures.fixtureOf(index, random);
    const winner = this.ids.winnerOf(index);
    const games = fixture.status === 'FINISHED' ? gamesOf(fixture, winner, random) : [];
    return { ...fixture, index, id: this.ids.idOf(index), winner, games };
  }
}

/** The games of a match: the winner takes the last one, in a best of three perhaps after losing one. */
function gamesOf({ game, bestOf }: Fixture, winner: SideIndex, random: Random): PlayedGame[] {
  const loser: SideIndex = winner === 0 ? 1 : 0;
  const orders: readonly SideIndex[][] =
    bestOf === 1
      ? [[winner]]
      : [
          [winner, winner],
          [loser, winner, winner],
          [winner, loser, winner],
        ];
  const firstMap = random.below(game.maps.length);
  return random.pick(orders).map((side, number): PlayedGame => {
    const [most, least] = game.family === 'shooter' ? shooterScore(random) : [1, 0];
    return {
      map: game.maps[(firstMap + number) % game.maps.length],
      winner: side,
      scores: side === 0 ? [most, least] : [least, most],
    };
  });
}

/** First to thirteen, two ahead; overtimes end at sixteen. */
function shooterScore(random: Random): [number, number] {
  return random.chance(10) ? [16, 14] : [13, random.between(1, 11)];
}
