import type { TSchema } from '@sinclair/typebox';
import type { Answer } from '../answers/answer';
import type { ReadScope } from '../access/caller';
import type { ArgsOf, Parameters } from '../arguments/parameter';
import type { ReadContext } from '../context/read-context';

/** The schema of a read's response, with its name in OpenAPI. */
export interface Reply {
  readonly name: string;
  readonly schema: TSchema;
}

/** The complete declaration of a read operation; an omitted policy does not compile. */
export interface ReadRow<Params extends Parameters = Parameters, Query extends Parameters = Parameters> {
  /** `operationId` in OpenAPI, metrics, cursors. */
  readonly id: string;
  /** Below /data/v4, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** What a client must know in addition to the summary. */
  readonly description?: string;
  readonly tag: string;
  readonly params: Params;
  readonly query: Query;
  readonly reply: Reply;
  /** For how many seconds a client may cache an answer: one of `cacheSeconds`. */
  readonly cacheS: number;
  readonly scope: ReadScope;
  /** Since when it is deprecated. */
  readonly deprecatedSince?: Date;
  /** Throws coded errors: `not_found` if the path names something that does not exist. */
  answer(context: ReadContext, args: ArgsOf<Params & Query>): Promise<Answer>;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Declares a read. The types of the declared parameters become those of `answer`; every name in the path must be declared. */
export function read<
  const Path extends string,
  Params extends Parameters & Readonly<Record<NamesIn<Path>, unknown>>,
  Query extends Parameters,
>(row: ReadRow<Params, Query> & { readonly path: Path }): ReadRow {
  return row;
}
