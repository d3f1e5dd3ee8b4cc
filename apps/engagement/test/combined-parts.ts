import type { AppliedTables } from './applied-tables';

/** What the tasks and users of a world share. */
export interface CombinedParts {
  readonly tables: AppliedTables;
  /** Unix seconds. */
  readonly nowS: number;
  /** So late the record of a link may arrive, seconds. */
  readonly linkLagS: number;
  /** Unix seconds: links that begin or end later may not be known yet. */
  readonly linksPassedS: number;
  /** Makes the definitions known as they are now. */
  tell(): void;
  /** One round of a backfill and of due times, for at most so many users. */
  round(most: number): Promise<number>;
}
