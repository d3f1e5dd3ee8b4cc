import { reconcileLimits } from '../api/event-ids-api';
import { requireCommas } from './csv-mapping';
import { CsvRecord } from './csv-records';
import { InputRecord } from './input-records';
import { UsageError } from './terminal';

/** How a file has its event ids: one per line, as events or texts in JSON, or in a column. */
export type IdFormat = 'ids' | 'ndjson' | 'csv';

/** The id of a record, or why it has none. */
export type FoundId = { readonly id: string } | { readonly problem: string };

/** The format of a file by its name. */
export function formatOf(path: string): IdFormat {
  if (/\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  return /\.csv$/i.test(path) ? 'csv' : 'ids';
}

/** Finds ids in records. Of CSV, `header` has the names of the columns, and `column` is that of the ids. */
export function idFinder(
  format: IdFormat,
  header: readonly string[],
  column?: string,
): (record: InputRecord | CsvRecord) => FoundId {
  if (format === 'csv') {
    const at = columnAt(header, column);
    return (record) => {
      if (!('fields' in record)) return checkedId(undefined);
      return record.problem === undefined ? checkedId(record.fields[at]) : { problem: record.problem };
    };
  }
  return format === 'ids' ? ({ text }) => checkedId(text) : ({ text }) => idInJson(text);
}

/** An event as `send` takes it, an object with `id`, or a text. */
function idInJson(text: string): FoundId {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null) return checkedId(value);
  const { event, id } = value as { event?: unknown; id?: unknown };
  return checkedId(typeof event === 'object' && event !== null ? (event as { id?: unknown }).id : id);
}

function columnAt(header: readonly string[], column: string | undefined): number {
  const wanted = column === undefined ? ['event_id', 'id'] : [column];
  const at = wanted.map((name) => header.indexOf(name)).find((place) => place >= 0);
  if (at === undefined) {
    requireCommas(header);
    throw new UsageError(`The first line has no column ${wanted.join(' or ')}: give its name with --column.`);
  }
  return at;
}

/** Podium would refuse a whole request for one of these. */
function checkedId(id: unknown): FoundId {
  if (typeof id !== 'string') return { problem: 'has no id' };
  if (id.trim() === '') return { problem: 'has an empty id' };
  // An unpaired surrogate has no UTF-8 form.
  if (id.includes('\0') || Buffer.from(id).toString() !== id)
    return { problem: 'has an id with a character that is none' };
  if (Buffer.byteLength(id) > reconcileLimits.maxIdBytes)
    return { problem: `has an id of more than ${reconcileLimits.maxIdBytes} bytes` };
  return { id };
}
