import { IHeaders } from 'kafkajs';

/** Text headers of a record. */
export type RecordHeaders = Readonly<Record<string, string>>;

/** Headers as texts: the first value of a repeated header; a header without a value, which other clients send, is left out. */
export function textHeaders(headers: IHeaders | undefined): RecordHeaders {
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    const first = (Array.isArray(value) ? value[0] : value) as Buffer | string | null | undefined;
    if (first !== undefined && first !== null) texts.push([name, first.toString()]);
  }
  return Object.fromEntries(texts);
}
