import { CompetitionKind, recordKey } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { SearchKind } from '../../search/search-name';
import { Tables } from '../../table-sets/table-set';
import { entryOf } from '../../rankings/ranking-position.queries';
import { Rankings } from '../../rankings/rankings';
import { searchNames } from '../../search/search-names.queries';
import { Answer, AnswerPage, envelope, withFields } from '../answers/answer';
import type { Part } from '../answers/body-parts';
import { Caller } from '../access/caller';
import { GivenCursor, Position } from '../arguments/cursor';
import { DocumentCache } from '../documents/document-cache';
import { expandedDocument, hasDocument, organizersOf } from '../queries/documents.queries';
import { ListPart, Owner, listIds } from '../queries/listings.queries';
import { wholePage } from '../arguments/large-page';
import { ListReader } from './list-reader';
import { found, notFound } from './not-found';

/** The arguments that select a page of a list. */
export interface PagingArgs {
  readonly offset: number;
  readonly limit: number;
  readonly cursor: GivenCursor | null;
}

/** A list, without the page. */
export type WantedList = Omit<ListPart, 'after' | 'offset' | 'limit'>;

/** Deviations from a plain page. */
export interface PageOptions {
  /** Builds the body from the items; `start` is the number of items before them. */
  readonly bodyOf?: (items: readonly Part[], start: number, limit: number) => readonly Part[];
  /** Called for a list without rows; throws `not_found` if the path names something that does not exist. */
  readonly whenEmpty?: () => Promise<void>;
}

/**
 * What a read operation builds its answer with: the caller, the clock, and the table set that was live when the request
 * arrived. Ids that do not exist throw `not_found`.
 */
export class ReadContext {
  readonly lists: ListReader;

  constructor(
    readonly db: Queryable,
    readonly tables: Tables,
    private readonly documents: DocumentCache,
    private readonly rankings: Rankings,
    readonly caller: Caller,
    private readonly clock: () => number,
  ) {
    this.lists = new ListReader(db, tables, documents);
  }

  private clockReadAtMs: number | null = null;

  /** The current time, Unix milliseconds, the same throughout the answer. */
  get nowMs(): number {
    this.clockReadAtMs ??= this.clock();
    return this.clockReadAtMs;
  }

  /** The Unix second for which the answer holds; null if it does not depend on the time. */
  get second(): number | null {
    return this.clockReadAtMs === null ? null : secondOf(this.clockReadAtMs);
  }

  /** A whole document, and nothing unless its owner exists; both are read at the same time, in one round trip. */
  async document(kind: CompetitionKind, id: string, owner: Owner | null = null): Promise<Answer> {
    const [part] = await Promise.all([this.documentPart(kind, id), owner && this.require(owner.kind, owner.id)]);
    return { body: [part] };
  }

  /** A document, as part of a body. */
  async documentPart(kind: CompetitionKind, id: string): Promise<Part> {
    return found(await this.documents.one(this.db, this.tables, kind, id), `no ${kind} with this id`);
  }

  /** A document with its organizer and its game, where these are requested and exist. */
  async expandedDocument(
    kind: 'championship' | 'hub' | 'tournament',
    id: string,
    expanded: readonly ('organizer' | 'game')[],
  ): Promise<Answer> {
    if (expanded.length === 0) return this.document(kind, id);
    const wanted = { organizer: expanded.includes('organizer'), game: expanded.includes('game') };
    const document = found(await expandedDocument(this.db, this.tables, kind, id, wanted), `no ${kind} with this id`);
    const { body, organizer, game } = document;
    const added = [
      ...(organizer === null ? [] : [`"organizer_data":${organizer}`]),
      ...(game === null ? [] : [`"game_data":${game}`]),
    ];
    return { body: [withFields(body, ...added)] };
  }

  /** Throws `not_found` unless a document exists. */
  async require(kind: CompetitionKind, id: string): Promise<void> {
    if (!(await hasDocument(this.db, this.tables, kind, id))) notFound(`no ${kind} with this id`);
  }

  /** A page of a list. Throws `not_found` if its owner, where it has one, does not exist. */
  async list(
    list: WantedList,
    owner: Owner | null,
    paging: PagingArgs,
    { bodyOf = pageBody, whenEmpty }: PageOptions = {},
  ): Promise<Answer> {
    const { offset, after } = positionOf(paging);
    const { limit } = paging;
    const { items, last } = await this.lists.items(
      { ...list, after, offset: after === null ? offset : 0, limit },
      owner,
    );
    if (items.length === 0 && whenEmpty) {
      const isPart = after !== null || offset > 0 || list.from !== undefined || list.to !== undefined;
      if (!isPart || !(await this.hasRows(list))) await whenEmpty();
    }
    const next = last && { offset: offset + limit, after: last };
    return { body: bodyOf(items, offset, limit), page: { offset, limit, next } };
  }

  /** A page of the whole list of an owner, which must exist. */
  listOf(list: WantedList['list'], owner: Owner, paging: PagingArgs): Promise<Answer> {
    return this.list({ list, owner: owner.id, filter: '' }, owner, paging);
  }

  /** A page of the matches of a competition, which must exist. */
  matchesOf(competition: Owner, filter: string, paging: PagingArgs): Promise<Answer> {
    const owner = recordKey(competition.kind, competition.id);
    return this.list({ list: 'matchesOfCompetition', owner, filter }, competition, paging);
  }

  /** Whether a list has rows, also outside of the page or the period in which it has none. */
  private async hasRows({ list, owner, filter }: WantedList): Promise<boolean> {
    const ids = await Promise.all(
      [filter].flat().map((one) => listIds(this.db, this.tables, { list, owner, filter: one, limit: 1 })),
    );
    return ids.flat().length > 0;
  }

  /** The id of the first document of a list. */
  async firstId(list: WantedList['list'], owner: string, filter = ''): Promise<string> {
    const [id] = await listIds(this.db, this.tables, { list, owner, filter, limit: 1 });
    return id ?? notFound(`nothing in ${list}`);
  }

  /** A page of a ranking. `whenEmpty`, for one without entries, throws `not_found` if the path names nothing that exists. */
  async ranking(board: string, paging: PagingArgs, whenEmpty: () => Promise<void>): Promise<Answer> {
    const { items, ...page } = await this.rankingItems(board, paging);
    if (items.length === 0 && !(page.offset > 0 && (await this.hasEntries(board)))) await whenEmpty();
    return { body: pageBody(items, page.offset, page.limit), page };
  }

  /** The items of a page of a ranking, as one part unless there are none. */
  async rankingItems(board: string, paging: PagingArgs): Promise<AnswerPage & { readonly items: readonly Part[] }> {
    const { offset } = positionOf(paging);
    const { limit } = paging;
    const entries = await this.rankings.entriesAt(this.tables, board, offset, limit + 1);
    const items = wholePage(entries.slice(0, limit)).map((entry, index) => ranked(entry, offset + index + 1));
    const next = entries.length > limit ? { offset: offset + limit, after: null } : null;
    return { items: items.length === 0 ? [] : [items.join()], offset, limit, next };
  }

  /** Whether a ranking has entries. */
  async hasEntries(board: string): Promise<boolean> {
    return (await this.rankings.entriesAt(this.tables, board, 0, 1)).length > 0;
  }

  /** A player's entry in a ranking whose owners must exist; all are read at the same time, in one round trip. */
  async rankedEntry(owners: readonly Owner[], board: string, playerId: string): Promise<Answer> {
    const [stored] = await Promise.all([
      entryOf(this.db, this.tables, board, playerId),
      ...owners.map(({ kind, id }) => this.require(kind, id)),
    ]);
    const entry = found(stored, 'not in this ranking');
    return { body: [ranked(entry.body, entry.position)] };
  }

  /** A window of a ranking around a player; start and end are the positions of its first and last item. */
  async rankingAround(board: string, playerId: string, limit: number): Promise<Answer> {
    const window = found(await this.rankings.windowAround(this.tables, board, playerId, limit), 'not in this ranking');
    const { start, position, entries } = window;
    const items = wholePage(entries).map((entry, index) => ranked(entry, start + index));
    return { body: envelope(start, start + entries.length - 1, [items.join()], `,"position":${position}`) };
  }

  /** A page of search results; `complete` turns stored items into served ones. */
  async search(
    kind: SearchKind,
    text: string,
    tags: readonly (string | null)[],
    paging: PagingArgs,
    complete: (items: readonly string[]) => Promise<readonly string[]> = async (items) => items,
  ): Promise<Answer> {
    const { offset } = positionOf(paging);
    const { limit } = paging;
    const wanted = { kind, text, tags: tags.filter((tag) => tag !== null), offset, limit: limit + 1 };
    const names = await searchNames(this.db, this.tables, wanted);
    const items = await complete(wholePage(names.slice(0, limit)));
    const next = names.length > limit ? { offset: offset + limit, after: null } : null;
    return { body: pageBody([items.join()], offset, limit), page: { offset, limit, next } };
  }

  /** Adds the name and type of their organizers to found competitions; empty where the organizer does not exist. */
  async withOrganizers(items: readonly string[]): Promise<readonly string[]> {
    if (items.length === 0) return items;
    const organizers = await organizersOf(this.db, this.tables, items);
    return items.map((item, index) => withFields(item, (organizers[index] ?? noOrganizer).slice(1, -1)));
  }
}

/** The second of a time: answers depend on time in whole seconds only. */
export function secondOf(nowMs: number): number {
  return Math.floor(nowMs / 1000);
}

const noOrganizer = '{"organizer_name":"","organizer_type":""}';

function positionOf({ offset, cursor }: PagingArgs): Position {
  return cursor ?? { offset, after: null };
}

function pageBody(items: readonly Part[], start: number, limit: number): Part[] {
  return envelope(start, start + limit, items);
}

function ranked(entry: string, position: number): string {
  return withFields(entry, `"position":${position}`);
}
