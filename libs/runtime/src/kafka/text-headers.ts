import { IHeaders } from 'kafkajs';
import { RecordHeaders } from './outcomes';

/** Headers as texts: of one that is repeated the first; one without a value, which other clients send, is left out. */
export function textHeaders(headers: IHeaders | undefined): RecordHeaders {
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    const first = (Array.isArray(value) ? value[0] : value) as Buffer | string | null | undefined;
    if (first !== undefined && first !== null) texts.push([name, first.toString()]);
  }
  return Object.fromEntries(texts);
}
