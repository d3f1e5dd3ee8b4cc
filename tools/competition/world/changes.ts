import { CompetitionChange } from '@podium/messages';
import { championshipDocuments } from './documents/championships';
import { clanDocuments } from './documents/clans';
import { changeTo, WorldDocument } from './documents/document';
import { gameDocuments } from './documents/games';
import { hubDocuments } from './documents/hubs';
import { leagueDocuments } from './documents/leagues';
import { matchDocuments } from './documents/matches';
import { matchmakingDocuments } from './documents/matchmakings';
import { WorldOptions } from './options';
import { organizerDocuments } from './documents/organizers';
import { playerDocuments } from './documents/players';
import { teamDocuments } from './documents/teams';
import { tournamentDocuments } from './documents/tournaments';
import { createWorld } from './world';

/**
 * A whole world as changes, in batches of at most `batchSize`: each document once. Equal options give equal changes in
 * equal order. Memory does not grow with the world, because references between documents are computed.
 */
export function* worldChanges(options: WorldOptions, batchSize = 500): Generator<CompetitionChange[]> {
  let batch: CompetitionChange[] = [];
  for (const document of worldDocuments(options)) {
    batch.push(changeTo(document, options.nowS));
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The documents of a world, kind after kind; a document may come before those that it refers to. */
function* worldDocuments(options: WorldOptions): Generator<WorldDocument> {
  const world = createWorld(options);
  yield* gameDocuments();
  yield* organizerDocuments(world);
  yield* playerDocuments(world);
  yield* teamDocuments(world);
  yield* clanDocuments(world);
  yield* hubDocuments(world);
  yield* championshipDocuments(world);
  yield* matchmakingDocuments(world);
  yield* leagueDocuments(world);
  yield* tournamentDocuments(world);
  yield* matchDocuments(world);
}
