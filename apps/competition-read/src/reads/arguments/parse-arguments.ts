import { CodedError } from '@podium/messages';
import { CursorScope, GivenCursor, requireCursorOf } from './cursor';
import { Parameter, Parameters } from './parameter';
import { queryTexts } from './raw-query';

/** Parsed arguments by name. */
export type Args = Readonly<Record<string, unknown>>;

/** The declarations of a row that parsing needs. */
export interface DeclaredArguments {
  readonly id: string;
  readonly params: Parameters;
  readonly query: Parameters;
}

/** Arguments that select the page of a list, not the list. */
const pagingNames = new Set(['offset', 'limit', 'cursor']);

/**
 * The arguments of a request: ids from the decoded path, the rest from the raw query. Throws 404 for an id that cannot
 * exist, and 400 with the name of the parameter for any other invalid argument. Undeclared arguments are ignored.
 */
export function parseArguments(row: DeclaredArguments, path: Readonly<Record<string, string>>, query: string): Args {
  const args: Record<string, unknown> = {};
  for (const name in row.params) args[name] = row.params[name].read(name, [path[name] ?? '']);
  const texts = query === '' ? noTexts : queryTexts(query, (name) => Object.hasOwn(row.query, name));
  for (const name in row.query) args[name] = valueOf(name, row.query[name], texts.get(name));
  requireOrder(args);
  requireOwnCursor(row, args);
  return args;
}

/** A query argument that selects the list, with its value. */
export type Filter = readonly [name: string, value: unknown];

/** The list that the arguments select, without the page: all arguments but defaults, in the order of declaration. */
export function listScope(row: DeclaredArguments, args: Args, filters = filtersOf(row, args)): CursorScope {
  const all: Filter[] = [];
  for (const name in row.params) all.push([name, args[name]]);
  all.push(...filters);
  return { operation: row.id, filters: all };
}

/** The query arguments that select the list, without those that have their default. */
export function filtersOf(row: DeclaredArguments, args: Args): Filter[] {
  const filters: Filter[] = [];
  for (const name in row.query)
    if (args[name] !== row.query[name].fallback && !pagingNames.has(name)) filters.push([name, args[name]]);
  return filters;
}

const noTexts: ReadonlyMap<string, string[]> = new Map();

function valueOf(name: string, parameter: Parameter, texts: readonly string[] | undefined): unknown {
  if (texts !== undefined) return parameter.read(name, texts);
  if (parameter.required)
    throw new CodedError('invalid_request', { message: `${name}: is required`, parameters: [name] });
  return parameter.fallback;
}

function requireOrder({ from, to }: Args): void {
  if (typeof from === 'number' && typeof to === 'number' && from > to)
    throw new CodedError('invalid_request', { message: 'from: must not be after to', parameters: ['from', 'to'] });
}

/** The default offset is none: many generated clients send it with every request. */
function requireOwnCursor(row: DeclaredArguments, args: Args): void {
  const given = args.cursor as GivenCursor | null | undefined;
  if (!given) return;
  if (args.offset !== row.query.offset.fallback)
    throw new CodedError('invalid_request', {
      message: 'cursor: use either cursor or offset, not both; an offset of 0 counts as none',
      parameters: ['cursor', 'offset'],
    });
  requireCursorOf(listScope(row, args), given);
}
