import type { ReadRow } from '../../apps/competition-read/test/read-table';
import type { Args } from './samples';

/** A response of the data API. */
export interface DataAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when there is none. */
  readonly body: unknown;
}

/** The error body of the data API. */
export interface DataErrors {
  readonly errors: readonly { code: string; message: string; http_status: number; parameters: string[] }[];
}

/** A client of the data API with one key. */
export class DataApi {
  constructor(
    readonly baseUrl: string,
    private readonly key?: string,
  ) {}

  /** GETs a path below `/data/v4`, with query. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<DataAnswer> {
    const response = await fetch(this.baseUrl + path, {
      headers: { ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }), ...headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }
}

/** The path and query of an operation; omits arguments that the row does not declare. */
export function addressOf(row: ReadRow, args: Args, query: Readonly<Record<string, string>> = {}): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(args[name]));
  const declared = Object.keys(row.query).filter((name) => row.query[name].required || requiredBy(row, args, name));
  const given = Object.fromEntries(
    declared.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
  );
  const text = new URLSearchParams({ ...given, ...query }).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A lookup needs one of several optional arguments. */
function requiredBy(row: ReadRow, args: Args, name: string): boolean {
  return row.id === 'getPlayerFromLookup' && name === 'nickname' && args.nickname !== undefined;
}
