import { CodedError, KeyScope, decodeScopes } from '@podium/messages';

/** The scope that a read requires of the caller's key. */
export type ReadScope = 'data:read' | 'queues:developer' | 'queues:developer or organizer';

/** The key of a request, as the gateway describes it; a queue scope does not imply `data:read`. */
export class Caller {
  /** The organizers whose queues the key may see. */
  readonly organizers: ReadonlySet<string>;
  private readonly readsData: boolean;
  private readonly games: ReadonlySet<string>;

  constructor(scopes: readonly KeyScope[]) {
    this.readsData = scopes.some(({ scope }) => scope === 'data:read');
    this.games = new Set(scopes.flatMap((scope) => (scope.scope === 'queues:developer' ? scope.game_ids : [])));
    const organizers = scopes.flatMap((scope) => (scope.scope === 'queues:organizer' ? scope.organizer_ids : []));
    // An empty organizer would be the filter for the whole list.
    this.organizers = new Set(organizers.filter((organizer) => organizer !== ''));
  }

  /** Throws 403 unless the key has the scope; `game` is the one in the path. */
  require(scope: ReadScope, game: string | undefined): void {
    if (!this.allows(scope, game)) throw new CodedError('forbidden', { message: missingScope[scope] });
  }

  /** Whether the key belongs to a developer of a game. */
  isDeveloperOf(game: string | undefined): boolean {
    return game !== undefined && this.games.has(game);
  }

  private allows(scope: ReadScope, game: string | undefined): boolean {
    switch (scope) {
      case 'data:read':
        return this.readsData;
      case 'queues:developer':
        return this.isDeveloperOf(game);
      case 'queues:developer or organizer':
        return this.isDeveloperOf(game) || this.organizers.size > 0;
    }
  }
}

const missingScope: Readonly<Record<ReadScope, string>> = {
  'data:read': 'Use a key with the scope data:read.',
  'queues:developer': 'Use a key with the scope queues:developer for this game.',
  'queues:developer or organizer': 'Use a key with the scope queues:developer for this game, or queues:organizer.',
};

/** Callers by the header that describes them: a few keys make most requests. */
const cachedCallers = new Map<string, Caller>();
const maxCachedCallers = 1000;

/** The caller that the gateway's header describes; throws 401 for a header that the gateway does not write. */
export function callerOf(header: string | string[] | undefined): Caller {
  const text = typeof header === 'string' ? header : '';
  const known = cachedCallers.get(text);
  if (known) return known;
  const scopes = decodeScopes(text);
  if (scopes === null) throw new CodedError('unauthorized', { internal: 'the header of scopes cannot be decoded' });
  const caller = new Caller(scopes);
  if (cachedCallers.size >= maxCachedCallers) cachedCallers.clear();
  cachedCallers.set(text, caller);
  return caller;
}
