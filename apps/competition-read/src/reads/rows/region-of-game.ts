import { storedDocument } from '../queries/documents.queries';
import { notFound } from '../context/not-found';
import type { ReadContext } from '../context/read-context';

/** Throws `not_found` unless a game exists and has a region. */
export async function requireRegion({ db, tables }: ReadContext, gameId: string, region: string): Promise<void> {
  const game = await storedDocument(db, tables, 'game', gameId);
  if (!game?.value.regions.includes(region)) notFound('no such game or region');
}
