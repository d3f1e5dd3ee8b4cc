import { Championships } from './championships';
import { Fixtures } from './fixtures';
import { Hubs } from './hubs';
import { Leagues } from './leagues';
import { MatchIds } from './match-ids';
import { MatchSides } from './match-sides';
import { Matches } from './matches';
import { Matchmakings } from './matchmakings';
import { sizesOf, WorldOptions, WorldSizes } from './options';
import { Organizers } from './organizers';
import { Players } from './players';
import { Population } from './population';
import { Teams } from './teams';
import { Tournaments } from './tournaments';

/** All nouns of a world; their instances follow from the options alone. */
export interface World {
  readonly options: WorldOptions;
  readonly sizes: WorldSizes;
  readonly population: Population;
  readonly players: Players;
  readonly teams: Teams;
  readonly organizers: Organizers;
  readonly leagues: Leagues;
  readonly hubs: Hubs;
  readonly championships: Championships;
  readonly matchmakings: Matchmakings;
  readonly tournaments: Tournaments;
  readonly matches: Matches;
}

/** Creates a world; cheap, because nothing is generated yet. */
export function createWorld(options: WorldOptions): World {
  const { seed, nowS } = options;
  const sizes = sizesOf(options);
  const population = new Population(options.players);
  const players = new Players(seed, population);
  const teams = new Teams(seed, population);
  const organizers = new Organizers(seed, sizes.organizers);
  const leagues = new Leagues(seed, sizes, population);
  const hubs = new Hubs(seed, sizes, population, organizers);
  const championships = new Championships(options, sizes, population, organizers);
  const matchmakings = new Matchmakings(seed, organizers, leagues, hubs);
  const matchIds = new MatchIds(seed);
  const tournaments = new Tournaments(options, sizes, population, organizers, matchIds);
  const sides = new MatchSides(population, players, teams, hubs, championships);
  const fixtures = new Fixtures(nowS, population, hubs, championships, matchmakings, tournaments, sides);
  const matches = new Matches(seed, matchIds, fixtures);
  return {
    ...{ options, sizes, population, players, teams, organizers },
    ...{ leagues, hubs, championships, matchmakings, tournaments, matches },
  };
}
