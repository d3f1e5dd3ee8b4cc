import type { AnswerPage } from './answer';
import { encodeCursor } from './cursor';
import { Args, DeclaredArguments, filtersOf, listScope } from './parse-args';

/** Path under which all reads stand. */
export const dataPath = '/data/v4';

/**
 * The `Link` header of a page (RFC 8288), relative to the host: `next` by cursor, which costs the same however deep,
 * `prev` by offset as far as offsets go; null where there is neither.
 */
export function pageLinks(
  row: DeclaredArguments & { readonly path: string },
  args: Args,
  page: AnswerPage,
): string | null {
  const shown: Args = { ...args, ...page.used };
  const path =
    dataPath + row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
  const links: string[] = [];
  if (page.next)
    links.push(link('next', { limit: page.limit, cursor: encodeCursor(listScope(row, shown), page.next) }));
  const before = Math.max(0, page.offset - page.limit);
  if (page.offset > 0 && before <= (row.query.offset.schema.maximum ?? 0))
    links.push(link('prev', { limit: page.offset - before, offset: before }));
  return links.length === 0 ? null : links.join(', ');

  function link(relation: 'next' | 'prev', paging: Readonly<Record<string, string | number>>): string {
    const query = new URLSearchParams();
    for (const [name, value] of [...filtersOf(row, shown), ...Object.entries(paging)])
      query.append(name, String(value));
    return `<${path}?${query.toString()}>; rel="${relation}"`;
  }
}
