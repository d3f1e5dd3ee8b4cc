import type { SentBody } from './body-parts';

/** An answer as it is sent to clients: its body and what its headers are made of. */
export interface SentAnswer {
  /** JSON. */
  readonly body: SentBody;
  /** Identifies the bytes of the body. */
  readonly digest: string;
  readonly cacheS: number;
  readonly link: string | null;
  readonly deprecatedSince: Date | undefined;
}
