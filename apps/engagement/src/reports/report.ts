import { Page, PageQuery } from '@podium/runtime/http';
import { ReadPart, ReportKey, pageOfPart } from './report-part';

/** A report that an operator may see, with where to begin. */
export interface Report<Item> {
  readonly read: ReadPart<Item>;
  readonly after: ReportKey | null;
  /** Whose definition it is about. */
  readonly organizerId: string;
}

/** The page of a report that a query asks for. */
export async function pageOfReport<Item>(
  { read, after }: Pick<Report<Item>, 'read' | 'after'>,
  { limit }: PageQuery,
): Promise<Page<Item>> {
  return pageOfPart(await read(after, limit));
}
