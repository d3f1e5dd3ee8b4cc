import { Queryable } from '@podium/runtime/postgres';
import { ListItem, ListName, lists } from '../../projection/lists';
import { Tables } from '../../table-sets/table-set';
import type { Chunk, Part } from '../answers/body-parts';
import type { Place } from '../arguments/cursor';
import { refuseLargePage } from '../arguments/large-page';
import { DocumentCache } from '../documents/document-cache';
import { ListPart, Owner, listDocuments, listTexts } from '../queries/listings.queries';
import { maxPageBytes } from '../../page-texts/page-texts.queries';
import { notFound } from './not-found';

/** Items of a list. Those with texts of their own are one part, with commas between. */
export interface ListItems {
  readonly items: readonly Part[];
  /** The last of them if more follow, else null. */
  readonly last: Place | null;
}

/** The name of a list whose items are documents. */
type DocumentList = { [List in ListName]: (typeof lists)[List]['item'] extends 'own body' ? never : List }[ListName];

/** Reads pages of lists from a table set. An owner that does not exist throws `not_found`. */
export class ListReader {
  constructor(
    private readonly db: Queryable,
    private readonly tables: Tables,
    private readonly documents: DocumentCache,
  ) {}

  /** A page. Throws `invalid_request` if it has more bytes than a page may, unless it is no page. */
  async items(part: ListPart, owner: Owner | null, maxBytes = maxPageBytes): Promise<ListItems> {
    const { item }: { item: ListItem } = lists[part.list];
    if (item === 'own body') {
      const { texts, last, isOwnerThere } = await listTexts(this.db, this.tables, part, owner);
      requireOwner(owner, isOwnerThere);
      return { items: texts === null ? [] : [texts], last };
    }
    const { ids, version, last, isOwnerThere } = await listDocuments(this.db, this.tables, part, owner);
    requireOwner(owner, isOwnerThere);
    const items = await this.documents.many(this.db, this.tables, item, ids, { setVersion: version, maxBytes });
    return { items: items?.filter((chunk) => chunk !== null) ?? refuseLargePage(), last };
  }

  /**
   * Pages that several filters of a list select, which are shown together and may have as many bytes as one. With a limit of 1,
   * the least, they may have any.
   */
  async itemsByFilter(
    part: Omit<ListPart, 'filter'> & { readonly list: DocumentList },
    filters: readonly string[],
    owner: Owner,
  ): Promise<readonly ListItems[]> {
    const pages = await Promise.all(
      filters.map((filter) => listDocuments(this.db, this.tables, { ...part, filter }, owner)),
    );
    for (const { isOwnerThere } of pages) requireOwner(owner, isOwnerThere);
    const ids = [...new Set(pages.flatMap((page) => page.ids))];
    const maxBytes = part.limit === 1 ? Infinity : maxPageBytes;
    const at = { setVersion: pages[0].version, maxBytes };
    const chunks = await this.documents.many(this.db, this.tables, lists[part.list].item, ids, at);
    if (chunks === null) return refuseLargePage();
    const byId = new Map(ids.map((id, index) => [id, chunks[index]]));
    let bytes = 0;
    return pages.map((page) => {
      const items: Chunk[] = [];
      for (const id of page.ids) {
        const chunk = byId.get(id);
        if (!chunk) continue;
        items.push(chunk);
        bytes += chunk.bytes.length;
      }
      if (bytes > maxBytes) refuseLargePage();
      return { items, last: page.last };
    });
  }
}

function requireOwner(owner: Owner | null, isThere: boolean): void {
  if (owner !== null && !isThere) notFound(`no ${owner.kind} with this id`);
}
