import { isUtf8 } from 'node:buffer';
import { maxAheadS, maxAttributes, maxNameBytes } from './event-limits';
import { BodyRefusal, JsonReader, shown } from './json-reader';
import { PartnerAttribute, PartnerEvent } from './partner-event';

/** The typed event, or the sentence for the partner's `invalid_request`. */
export type ParsedEvent = { ok: true; event: PartnerEvent } | { ok: false; message: string };

/**
 * Turns a request's body into a typed event; never throws. `nowMs` is the time of receipt. Written by hand, because the
 * class-validator DTO that documents the body (`send-event.dto.ts`) costs about 90 µs; a property-based test compares them.
 */
export function parseEvent(body: Buffer, nowMs: number): ParsedEvent {
  if (!isUtf8(body)) return { ok: false, message: 'The body is not valid UTF-8.' };
  try {
    return { ok: true, event: readRequest(new JsonReader(body.toString('utf8')), nowMs) };
  } catch (error) {
    if (error instanceof BodyRefusal) return { ok: false, message: error.message };
    throw error;
  }
}

function readRequest(reader: JsonReader, nowMs: number): PartnerEvent {
  if (!reader.opensObject()) reader.refuse('is not a JSON object');
  let platform: string | undefined;
  let platformUserId: string | undefined;
  let event: Omit<PartnerEvent, 'platform' | 'platformUserId'> | undefined;
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
    } while (reader.hasNextMember());
  reader.path = '';
  reader.end();
  return {
    platform: platform ?? missing(reader, 'platform'),
    platformUserId: platformUserId ?? missing(reader, 'platform_user_id'),
    ...(event ?? missing(reader, 'event')),
  };
}

function readEvent(reader: JsonReader, nowMs: number): Omit<PartnerEvent, 'platform' | 'platformUserId'> {
  if (!reader.opensObject()) wrongType(reader, 'an object');
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
    id: id ?? missing(reader, 'event.id'),
    name: name ?? missing(reader, 'event.name'),
    createdAt: createdAt ?? missing(reader, 'event.created_at'),
    attributes: attributes ?? [],
  };
}

function readAttributes(reader: JsonReader): PartnerAttribute[] {
  if (!reader.opensArray()) wrongType(reader, 'an array');
  const attributes: PartnerAttribute[] = [];
  if (reader.endsEmptyArray()) return attributes;
  do {
    if (attributes.length === maxAttributes) {
      reader.path = 'event.attributes';
      reader.refuse(`holds more than ${maxAttributes} attributes`);
    }
    reader.path = 'event.attributes[]';
    reader.index = attributes.length;
    attributes.push(readAttribute(reader));
  } while (reader.hasNextElement());
  return attributes;
}

function readAttribute(reader: JsonReader): PartnerAttribute {
  if (!reader.opensObject()) wrongType(reader, 'an object');
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
        value = reader.string() ?? wrongType(reader, 'a string');
      } else extra = skipExtra(reader, 'event.attributes[].', member, extra);
    } while (reader.hasNextMember());
  return {
    name: name ?? missing(reader, 'event.attributes[].name'),
    value: value ?? missing(reader, 'event.attributes[].value'),
  };
}

function readIdentifier(reader: JsonReader): string {
  const text = reader.string() ?? wrongType(reader, 'a string');
  if (isBlank(text)) reader.refuse('is empty or only white space');
  if (isTooLong(text)) reader.refuse(`is longer than ${maxNameBytes} bytes of UTF-8`);
  return text;
}

function readCreatedAt(reader: JsonReader, nowMs: number): number {
  const text = reader.number() ?? wrongType(reader, 'an integer, Unix seconds');
  if (!/^\d+$/.test(text)) reader.refuse('must be an integer, Unix seconds, without sign, fraction or exponent');
  const value = Number(text);
  const latestS = Math.floor(nowMs / 1000) + maxAheadS;
  if (value <= latestS) return value;
  if (value / 1000 <= latestS && value >= 1e11)
    reader.refuse('looks like milliseconds; it must be Unix seconds at which the event happened');
  reader.refuse(`is more than ${maxAheadS / 60} minutes in the future; it must be Unix seconds`);
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
  if (value !== undefined) reader.refuse('is given twice');
}

function skipExtra(reader: JsonReader, prefix: string, name: string, extra?: Set<string>): Set<string> {
  reader.path = prefix + shown(name);
  const names = extra ?? new Set<string>();
  if (names.has(name)) reader.refuse('is given twice');
  names.add(name);
  reader.skip();
  return names;
}

function wrongType(reader: JsonReader, expected: string): never {
  if (reader.isNull()) reader.refuse(`is null; it must be ${expected}`);
  reader.refuse(`must be ${expected}`);
}

function missing(reader: JsonReader, path: string): never {
  reader.path = path;
  reader.refuse('is missing');
}
