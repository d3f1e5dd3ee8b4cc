import { EventBody, EventBodyOptions, bodyOfFields } from './event-body';
import { UsageError } from './terminal';

/** What the options say about the columns of a CSV file. */
export interface MappingOptions {
  /** `field=column`. */
  readonly map: readonly string[];
  /** `field=value`, the same for every record. */
  readonly set: readonly string[];
  /** Columns that are not sent. */
  readonly skip: readonly string[];
}

/** The part of a command's help about CSV. */
export const csvHelp = `
CSV: the first line names the columns, which commas separate. id (or event_id), platform_user_id, name, created_at and platform are
the fields of an event; every other column is an attribute with the name of the column, or with what follows "attributes." in it. An
empty cell is an attribute that is not sent. created_at is Unix seconds, or a time with its zone such as 2026-01-31T12:00:00Z.
  --map created_at=paid_at          the field created_at is in the column paid_at; also --map attributes.amount=sum
  --set name=deposit                all records have this value
  --skip-columns internal_note      these columns are not sent`;

const fieldNames = ['id', 'platform_user_id', 'name', 'created_at', 'platform'] as const;
type Field = (typeof fieldNames)[number];

/** Where the parts of an event are in a record. */
export interface CsvMapping {
  readonly columns: number;
  readonly fields: ReadonlyMap<Field, number>;
  readonly attributes: readonly (readonly [name: string, column: number])[];
  readonly fixedFields: ReadonlyMap<Field, string>;
  readonly fixedAttributes: readonly (readonly [name: string, value: string])[];
}

/** The mapping of a header; throws UsageError for a header or options that cannot give events. */
export function csvMapping(header: readonly string[], { map, set, skip }: MappingOptions): CsvMapping {
  requireCommas(header);
  const mapped = map.map((text) => pairOf('--map', text));
  const fixed = set.map((text) => pairOf('--set', text));
  // A spreadsheet may write columns without a name behind the others; their cells are empty.
  const twice = header.find((column, at) => column !== '' && header.indexOf(column) !== at);
  if (twice !== undefined) throw new UsageError(`The first line names the column ${twice} twice.`);
  const unknown = [...mapped.map(([, column]) => column), ...skip].find((column) => !header.includes(column));
  if (unknown !== undefined) throw new UsageError(`The first line has no column ${unknown}.`);
  const fields = new Map<Field, number>();
  const attributes: [string, number][] = [];
  const put = (target: string, column: number): void => {
    if (isField(target)) fields.set(target, column);
    else attributes.push([attributeName(target), column]);
  };
  for (const [target, column] of mapped) put(target, header.indexOf(column));
  for (const [at, column] of header.entries()) {
    if (skip.includes(column) || mapped.some(([, used]) => used === column)) continue;
    const target = column === 'event_id' && !header.includes('id') ? 'id' : column;
    if (isField(target) && (fields.has(target) || fixed.some(([name]) => name === target))) continue;
    put(target, at);
  }
  const fixedFields = new Map(fixed.filter((pair): pair is [Field, string] => isField(pair[0])));
  for (const needed of ['platform_user_id', 'name', 'created_at'] as const)
    if (!fields.has(needed) && !fixedFields.has(needed))
      throw new UsageError(
        `The first line has no column ${needed}: give --map ${needed}=<column> or --set ${needed}=<value>.`,
      );
  const fixedAttributes = fixed.flatMap(([name, value]): [string, string][] =>
    isField(name) ? [] : [[attributeName(name), value]],
  );
  return { columns: header.length, fields, attributes, fixedFields, fixedAttributes };
}

/**
 * Throws UsageError for a header that has another separator than a comma, as a spreadsheet writes it where numbers have a decimal
 * comma: it would be one column with a name that nobody knows.
 */
export function requireCommas(header: readonly string[]): void {
  const [, separator] = /([;\t])/.exec(header.length === 1 ? header[0] : '') ?? [];
  if (separator === undefined) return;
  const name = separator === ';' ? 'semicolons' : 'tabs';
  throw new UsageError(`The first line separates the columns by ${name}: export the file again, separated by commas.`);
}

/** The body of a record's event. */
export function bodyOfCsv(record: readonly string[], mapping: CsvMapping, options: EventBodyOptions): EventBody {
  if (record.length !== mapping.columns)
    return problem('', `The record has ${record.length} fields; the first line has ${mapping.columns}.`);
  const valueOf = (field: Field): string | undefined => {
    const at = mapping.fields.get(field);
    const value = at === undefined ? mapping.fixedFields.get(field) : record[at];
    return value === '' ? undefined : value;
  };
  const createdAt = unixSecondsOf(valueOf('created_at'));
  if (createdAt === undefined)
    return problem('event.created_at', 'created_at is neither Unix seconds nor a time with its zone.');
  const given = mapping.attributes.map(([name, at]) => ({ name, value: record[at] }));
  const attributes = given.filter(({ value }) => value !== '');
  attributes.push(...mapping.fixedAttributes.map(([name, value]) => ({ name, value })));
  const body = {
    platform: valueOf('platform'),
    platform_user_id: valueOf('platform_user_id'),
    event: { id: valueOf('id'), name: valueOf('name'), created_at: createdAt, attributes },
  };
  return bodyOfFields(body, options);
}

/** Whole Unix seconds of digits or of an ISO 8601 time with a zone; undefined for any other text. */
export function unixSecondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const timeMs = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(timeMs) ? undefined : Math.floor(timeMs / 1000);
}

function pairOf(option: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(`${option} ${text}: must be <field>=${option === '--map' ? '<column>' : '<value>'}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function isField(name: string): name is Field {
  return (fieldNames as readonly string[]).includes(name);
}

function attributeName(target: string): string {
  return target.startsWith('attributes.') ? target.slice('attributes.'.length) : target;
}

function problem(field: string, message: string): EventBody {
  return { problem: { code: 'invalid_request', field, message } };
}
