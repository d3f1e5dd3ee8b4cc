import type { AnswerPage } from '../answers/answer';
import { encodeCursor } from '../arguments/cursor';
import { Args, DeclaredArguments, Filter, filtersOf, listScope } from '../arguments/parse-arguments';

/** The path prefix of all reads. */
export const dataPath = '/data/v4';

/** The path of a read below the prefix, as routers write it: `/games/:game_id` for `/games/{game_id}`. */
export function routeOf({ path }: { readonly path: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * The `Link` header of a page (RFC 8288), relative to the host: `next` by cursor, at the same cost at any depth, and
 * `prev` by offset, up to the maximum offset; null if there is neither.
 */
export function pageLinks(
  row: DeclaredArguments & { readonly path: string },
  args: Args,
  page: AnswerPage,
): string | null {
  const shown: Args = { ...args, ...page.used };
  let path = dataPath + row.path;
  // An encoded value has neither braces nor a dollar sign.
  for (const name in row.params) path = path.replace(`{${name}}`, encodeURIComponent(String(args[name])));
  const filters = filtersOf(row, shown);
  const list = `${path}?${filters.length === 0 ? '' : `${queryOf(filters)}&`}`;
  const links: string[] = [];
  if (page.next) {
    // A cursor is in base64url, which needs no escape.
    const cursor = encodeCursor(listScope(row, shown, filters), page.next);
    links.push(`<${list}limit=${page.limit}&cursor=${cursor}>; rel="next"`);
  }
  const before = Math.max(0, page.offset - page.limit);
  if (page.offset > 0 && before <= (row.query.offset.schema.maximum ?? 0))
    links.push(`<${list}limit=${page.offset - before}&offset=${before}>; rel="prev"`);
  return links.length === 0 ? null : links.join(', ');
}

function queryOf(filters: readonly Filter[]): string {
  return new URLSearchParams(filters.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
