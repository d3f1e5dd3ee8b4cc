import { KeyScope } from './events/api-key';

/** Header in which the gateway sends the scopes of the caller's key to the data service. */
export const scopesHeader = 'x-podium-scopes';

/**
 * Encodes scopes as one header value, ASCII for any ids: `data:read queues:developer=cs2,dota2 queues:organizer=acme`.
 * Spaces separate scopes, commas separate ids, which are percent-encoded.
 */
export function encodeScopes(scopes: readonly KeyScope[]): string {
  return scopes.map(encodeScope).join(' ');
}

/** Decodes scopes; null for a text that `encodeScopes` does not produce. */
export function decodeScopes(text: string): KeyScope[] | null {
  if (text === '') return [];
  const scopes = text.split(' ').map(decodeScope);
  return scopes.every((scope) => scope !== null) ? scopes : null;
}

function encodeScope(scope: KeyScope): string {
  switch (scope.scope) {
    case 'data:read':
      return scope.scope;
    case 'queues:developer':
      return scope.scope + encodeIds(scope.game_ids);
    case 'queues:organizer':
      return scope.scope + encodeIds(scope.organizer_ids);
  }
}

function decodeScope(text: string): KeyScope | null {
  const at = text.indexOf('=');
  const ids = at < 0 ? [] : decodeIds(text.slice(at + 1));
  if (ids === null) return null;
  switch (at < 0 ? text : text.slice(0, at)) {
    case 'data:read':
      return at < 0 ? { scope: 'data:read' } : null;
    case 'queues:developer':
      return { scope: 'queues:developer', game_ids: ids };
    case 'queues:organizer':
      return { scope: 'queues:organizer', organizer_ids: ids };
    default:
      return null;
  }
}

function encodeIds(ids: readonly string[]): string {
  return ids.length === 0 ? '' : `=${ids.map(encodeURIComponent).join(',')}`;
}

function decodeIds(text: string): string[] | null {
  try {
    return text.split(',').map(decodeURIComponent);
  } catch {
    return null;
  }
}
