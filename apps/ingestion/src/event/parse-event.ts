import { isUtf8 } from 'node:buffer';
import { BodyRefusal, FieldProblem } from './body-refusal';
import { maxAheadS, maxAttributes, maxClockErrorS, maxNameBytes } from './event-limits';
import { JsonReader, shown } from './json-reader';
import { PartnerAttribute, PartnerEvent } from './partner-event';

/** The typed event, or the first problem for the partner's `invalid_request`. */
export type ParsedEvent = { ok: true; event: PartnerEvent } | { ok: false; problem: FieldProblem };

/**
 * Turns a request's body into a typed event; never throws. `nowMs` is the time of receipt. Written by hand, because the
 * class-validator DTO that documents the body (`send-event.dto.ts`) costs about 90 µs; a property-based test compares them.
 */
export function parseEvent(body: Buffer, nowMs: number): ParsedEvent {
  if (!isUtf8(body)) return { ok: false, problem: notUtf8 };
  try {
    return { ok: true, event: readRequest(new JsonReader(body.toString('utf8')), nowMs) };
  } catch (error) {
    if (error instanceof BodyRefusal) return { ok: false, problem: error };
    throw error;
  }
}

/** All problems of a body, and its event as far as it could be read. */
export interface InspectedEvent {
  /** The first `maxProblems`, in the order of the body; the first is that of `parseEvent`. */
  readonly problems: readonly FieldProblem[];
  /** Undefined when the body is not a JSON object; an identifier that has a problem may be empty. */
  readonly event: PartnerEvent | undefined;
}

/** Reads a request's body as `parseEvent` does, but goes on after a problem; never throws. */
export function inspectEvent(body: Buffer, nowMs: number): InspectedEvent {
  const problems: FieldProblem[] = [];
  if (!isUtf8(body)) return { problems: [notUtf8], event: undefined };
  try {
    const event = readRequest(new JsonReader(body.toString('utf8'), problems), nowMs);
    return { problems, event };
  } catch (error) {
    if (!(error instanceof BodyRefusal)) throw error;
    return { problems: [...problems, error], event: undefined };
  }
}

/** Some libraries write it before UTF-8, where no editor shows it. */
const byteOrderMark = '\ufeff';

const notUtf8 = new BodyRefusal('The body is not valid UTF-8.');

type EventData = Omit<PartnerEvent, 'platform' | 'platformUserId'>;

/** Stands for an event that could not be read. */
const noEvent: EventData = { id: '', name: '', createdAt: 0, attributes: [] };

function readRequest(reader: JsonReader, nowMs: number): PartnerEvent {
  if (!reader.opensObject()) reader.refuse(noObject(reader));
  let platform: string | undefined;
  let platformUserId: string | undefined;
  let event: EventData | undefined;
  let extra: Set<string> | undefined;
  if (!reader.endsEmptyObject())
    do {
      const name = reader.name();
      if (name === 'platform') {
        once(reader, 'platform', platform);
        platform = readIdentifier(reader);
      } else if (name === 'platform_user_id') {
        once(reader, 'platform_user_id', platformUserId);
        platformUserId = readIdentifier(reader);
      } else if (name === 'event') {
        once(reader, 'event', event);
        event = readEvent(reader, nowMs);
      } else extra = skipExtra(reader, '', name, extra);
      reader.path = '';
    } while (reader.hasNextMember());
  reader.end();
  return {
    platform: platform ?? missing(reader, 'platform', ''),
    platformUserId: platformUserId ?? missing(reader, 'platform_user_id', ''),
    ...(event ?? missing(reader, 'event', noEvent)),
  };
}

function noObject(reader: JsonReader): string {
  if (reader.begins(byteOrderMark)) return 'begins with a byte order mark, which JSON does not have';
  if (reader.isAtEnd()) return 'is empty';
  return reader.opensArray() ? 'is an array, and must be the object of one event' : 'is not a JSON object';
}

function readEvent(reader: JsonReader, nowMs: number): EventData {
  if (!reader.opensObject()) return wrongType(reader, 'an object', noEvent);
  let id: string | undefined;
  let name: string | undefined;
  let createdAt: number | undefined;
  let attributes: PartnerAttribute[] | undefined;
  let extra: Set<string> | undefined;
  if (!reader.endsEmptyObject())
    do {
      const member = reader.name();
      if (member === 'id') {
        once(reader, 'event.id', id);
        id = readIdentifier(reader);
      } else if (member === 'name') {
        once(reader, 'event.name', name);
        name = readIdentifier(reader);
      } else if (member === 'created_at') {
        once(reader, 'event.created_at', createdAt);
        createdAt = readCreatedAt(reader, nowMs);
      } else if (member === 'attributes') {
        once(reader, 'event.attributes', attributes);
        attributes = readAttributes(reader);
      } else extra = skipExtra(reader, 'event.', member, extra);
      reader.path = 'event';
    } while (reader.hasNextMember());
  return {
    id: id ?? missing(reader, 'event.id', ''),
    name: name ?? missing(reader, 'event.name', ''),
    createdAt: createdAt ?? missing(reader, 'event.created_at', 0),
    attributes: attributes ?? [],
  };
}

function readAttributes(reader: JsonReader): PartnerAttribute[] {
  if (!reader.opensArray()) return wrongType(reader, 'an array', []);
  const attributes: PartnerAttribute[] = [];
  if (reader.endsEmptyArray()) return attributes;
  do {
    if (attributes.length === maxAttributes) {
      reader.path = 'event.attributes';
      reader.reject(`holds more than ${maxAttributes} attributes`);
    }
    reader.path = 'event.attributes[]';
    reader.index = attributes.length;
    attributes.push(readAttribute(reader));
  } while (reader.hasNextElement());
  return attributes;
}

function readAttribute(reader: JsonReader): PartnerAttribute {
  if (!reader.opensObject()) return wrongType(reader, 'an object', { name: '', value: '' });
  let name: string | undefined;
  let value: string | undefined;
  let extra: Set<string> | undefined;
  if (!reader.endsEmptyObject())
    do {
      const member = reader.name();
      if (member === 'name') {
        once(reader, 'event.attributes[].name', name);
        name = readIdentifier(reader);
      } else if (member === 'value') {
        once(reader, 'event.attributes[].value', value);
        value = reader.string() ?? wrongType(reader, 'a string', '');
      } else extra = skipExtra(reader, 'event.attributes[].', member, extra);
      reader.path = 'event.attributes[]';
    } while (reader.hasNextMember());
  return {
    name: name ?? missing(reader, 'event.attributes[].name', ''),
    value: value ?? missing(reader, 'event.attributes[].value', ''),
  };
}

function readIdentifier(reader: JsonReader): string {
  const text = reader.string();
  if (text === undefined) return wrongType(reader, 'a string', '');
  if (isBlank(text)) reader.reject('is empty or only white space');
  if (isTooLong(text)) reader.reject(`is longer than ${maxNameBytes} bytes of UTF-8`);
  return text;
}

function readCreatedAt(reader: JsonReader, nowMs: number): number {
  const text = reader.number();
  if (text === undefined) return wrongType(reader, 'an integer, Unix seconds', 0);
  if (!/^\d+$/.test(text)) reader.reject('must be an integer, Unix seconds, without sign, fraction or exponent');
  else rejectAhead(reader, Number(text), Math.floor(nowMs / 1000));
  return Number(text);
}

function rejectAhead(reader: JsonReader, value: number, nowS: number): void {
  const latestS = nowS + maxAheadS;
  if (value <= latestS) return;
  const ahead = `is more than ${maxAheadS / 60} minutes in the future`;
  if (value <= nowS + maxClockErrorS)
    return reader.reject(`${ahead}; check your clock, and send the event again when it is less`, value - latestS);
  reader.reject(
    value / 1000 <= latestS && value >= 1e11
      ? 'looks like milliseconds; it must be Unix seconds at which the event happened'
      : `${ahead}; it must be Unix seconds`,
  );
}

/** Whether a text is empty or only white space; such an identifier is an unfilled template. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x80) && text.trim() === '';
}

/** Whether a text exceeds the byte limit of ids and names. One UTF-16 unit takes at most three bytes. */
export function isTooLong(text: string): boolean {
  return text.length * 3 > maxNameBytes && (text.length > maxNameBytes || Buffer.byteLength(text) > maxNameBytes);
}

function once(reader: JsonReader, path: string, value: unknown): void {
  reader.path = path;
  if (value !== undefined) reader.reject('is given twice');
}

function skipExtra(reader: JsonReader, prefix: string, name: string, extra?: Set<string>): Set<string> {
  reader.path = prefix + shown(name);
  const names = extra ?? new Set<string>();
  if (names.has(name)) reader.reject('is given twice');
  names.add(name);
  reader.skip();
  return names;
}

/** Rejects the value here and skips it; the placeholder stands for it while all problems are collected. */
function wrongType<T>(reader: JsonReader, expected: string, placeholder: T): T {
  reader.reject(reader.isNull() ? `is null; it must be ${expected}` : `must be ${expected}`);
  reader.skip();
  return placeholder;
}

function missing<T>(reader: JsonReader, path: string, placeholder: T): T {
  reader.path = path;
  reader.reject('is missing');
  return placeholder;
}
