import type { TSchema } from '@sinclair/typebox';
import type { Answer } from './answer';
import type { ReadScope } from './caller';
import type { ArgsOf, Parameters } from './parameter';
import type { Reads } from './reads';

/** The body of a read's 200, as OpenAPI names it. */
export interface Reply {
  readonly name: string;
  readonly schema: TSchema;
}

/** One read operation, declared whole: what is left out does not compile. */
export interface ReadRow<Params extends Parameters = Parameters, Query extends Parameters = Parameters> {
  /** `operationId` in OpenAPI, metrics, cursors. */
  readonly id: string;
  /** Below /data/v4, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** What a client must know beside the summary. */
  readonly description?: string;
  readonly tag: string;
  readonly params: Params;
  readonly query: Query;
  readonly reply: Reply;
  /** For how many seconds a client may keep an answer. */
  readonly cacheS: number;
  readonly scope: ReadScope;
  /** Since when it is no longer meant to be used. */
  readonly deprecatedSince?: Date;
  /** Throws coded errors: `not_found` where the path names nothing. */
  answer(reads: Reads, args: ArgsOf<Params & Query>): Promise<Answer>;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Declares a read; the arguments of `answer` have the types of what is declared, and every name in the path is. */
export function read<
  const Path extends string,
  Params extends Parameters & Readonly<Record<NamesIn<Path>, unknown>>,
  Query extends Parameters,
>(row: ReadRow<Params, Query> & { readonly path: Path }): ReadRow {
  return row;
}
