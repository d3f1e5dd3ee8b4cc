import { CodedError, KeyScope, decodeScopes } from '@podium/messages';

/** What a read asks of the caller's key. */
export type ReadScope = 'data:read' | 'queues:developer' | 'queues:developer or organizer';

/** The key that a request came with, as the gateway tells; a queue scope does not imply `data:read`. */
export class Caller {
  private readonly readsData: boolean;
  private readonly games = new Set<string>();
  private readonly organizers = new Set<string>();

  constructor(scopes: readonly KeyScope[]) {
    this.readsData = scopes.some(({ scope }) => scope === 'data:read');
    for (const scope of scopes) {
      if (scope.scope === 'queues:developer') for (const game of scope.game_ids) this.games.add(game);
      if (scope.scope === 'queues:organizer')
        for (const organizer of scope.organizer_ids) this.organizers.add(organizer);
    }
    // An empty filter is the whole list.
    this.organizers.delete('');
  }

  /** Throws 403 unless the key may ask for a read at all; `game` is the one that the path names. */
  require(scope: ReadScope, game: string | undefined): void {
    if (!this.allows(scope, game)) throw new CodedError('forbidden', { message: missing[scope] });
  }

  /** Throws 403 unless the key is a developer's of the game or an organizer's that owns the queue. */
  requireQueue(game: string, organizer: string): void {
    if (!this.develops(game) && !this.organizers.has(organizer))
      throw new CodedError('forbidden', { message: 'This queue belongs to another organizer.' });
  }

  /** Whose queues of a game the key may see: null for all, else those of these organizers. */
  visibleOrganizers(game: string): readonly string[] | null {
    return this.develops(game) ? null : [...this.organizers];
  }

  private allows(scope: ReadScope, game: string | undefined): boolean {
    switch (scope) {
      case 'data:read':
        return this.readsData;
      case 'queues:developer':
        return this.develops(game);
      case 'queues:developer or organizer':
        return this.develops(game) || this.organizers.size > 0;
    }
  }

  private develops(game: string | undefined): boolean {
    return game !== undefined && this.games.has(game);
  }
}

const missing: Readonly<Record<ReadScope, string>> = {
  'data:read': 'This needs a key with the scope data:read.',
  'queues:developer': 'This needs a key of a developer of the game.',
  'queues:developer or organizer': 'This needs a key of a developer of the game or of an organizer.',
};

/** Keys seen lately, by the header that describes them: most requests come with one of a few. */
const mostKept = 1000;
const kept = new Map<string, Caller>();

/** The caller that the gateway's header describes; throws 401 for a header that the gateway does not make. */
export function callerOf(header: string | string[] | undefined): Caller {
  const text = typeof header === 'string' ? header : '';
  const known = kept.get(text);
  if (known) return known;
  const scopes = decodeScopes(text);
  if (scopes === null) throw new CodedError('unauthorized', { internal: 'the header of scopes cannot be read' });
  const caller = new Caller(scopes);
  if (kept.size >= mostKept) kept.clear();
  kept.set(text, caller);
  return caller;
}
