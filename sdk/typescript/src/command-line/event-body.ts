import { createHash } from 'node:crypto';
import { EncodedEvent, maxEventBytes } from '../api/partner-event';

/** How records become the bodies of events. */
export interface EventBodyOptions {
  /** For records that name none. */
  readonly platform: string;
  /** Whether a record without an id gets one from its content. */
  readonly deriveIds: boolean;
}

/** Why a record cannot be sent, as Podium would say it. */
export interface RecordProblem {
  readonly code: 'invalid_request' | 'payload_too_large';
  readonly message: string;
  /** The path of the field at fault; empty for the record as a whole. */
  readonly field: string;
}

/** The body of an event, with what answers to it need. */
export type EventBody = { readonly event: EncodedEvent } | { readonly problem: RecordProblem };

/** Podium refuses deeper ones too; encoding one for a report could overflow the stack. */
const maxDepth = 8;

interface Fields {
  readonly [name: string]: unknown;
}

/**
 * The body of an event in JSON: as `send` takes it, or a line of a file of dead letters or refused lines, which has the body
 * in `event`. Bytes that need no change stay as they are.
 */
export function bodyOfJson(text: string, options: EventBodyOptions): EventBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return problemOf('', `The record is not JSON: ${(error as Error).message}.`);
  }
  if (!isObject(value)) return problemOf('', 'The record is not a JSON object.');
  const isLetter = isObject(value.event) && isObject(value.event.event);
  return bodyOf(isLetter ? (value.event as Fields) : value, options, isLetter ? undefined : text);
}

/** A report has this sentence: by it, a later call knows that bytes of the record were replaced there. */
export const notUtf8 = 'The record has bytes that are not UTF-8.';

/**
 * The record in a line of a report that could not be read as an event; it may have been corrected there. Where bytes were
 * replaced when it was reported, what was meant is not known until the replacement is gone.
 */
export function recordOfRefusedLine(line: string): { readonly text: string; readonly isUtf8: boolean } | undefined {
  if (!line.startsWith('{"line":')) return undefined;
  try {
    const { code, message, text, event } = JSON.parse(line) as Fields;
    if (typeof code !== 'string' || typeof text !== 'string' || event !== undefined) return undefined;
    return { text, isUtf8: message !== notUtf8 || !text.includes('\ufffd') };
  } catch {
    return undefined;
  }
}

/** The body of an event that was put together from columns. */
export function bodyOfFields(body: Fields, options: EventBodyOptions): EventBody {
  return bodyOf(body, options, undefined);
}

/** `text` is the JSON text of the body where it is known. */
function bodyOf(given: Fields, { platform, deriveIds }: EventBodyOptions, text: string | undefined): EventBody {
  if (isNestedDeeperThan(given, maxDepth)) return problemOf('', `The record is nested deeper than ${maxDepth} levels.`);
  let body = given;
  let isChanged = text === undefined;
  if (body.platform === undefined) {
    body = { ...body, platform };
    isChanged = true;
  }
  const event = isObject(body.event) ? body.event : {};
  let { id } = event;
  if (id === undefined && isObject(body.event)) {
    if (!deriveIds)
      return problemOf(
        'event.id',
        'The event has no id. Give each event its own id, or derive them with --derive-ids.',
      );
    id = derivedId(body);
    body = { ...body, event: { ...event, id } };
    isChanged = true;
  }
  const json = isChanged ? JSON.stringify(body) : (text ?? '').trim();
  if (Buffer.byteLength(json) > maxEventBytes)
    return {
      problem: { code: 'payload_too_large', field: '', message: `The event is larger than ${maxEventBytes} bytes.` },
    };
  return {
    event: { id: String(id), platformUserId: String(body.platform_user_id), name: String(event.name), body: json },
  };
}

/**
 * The id of an event without one: a digest of all that it says. It does not depend on the place in a file, so that a file that is
 * sent again, sorted or split gives the same ids. Two events that say the same get one id, and count once.
 */
export function derivedId(body: Fields): string {
  const { name, created_at: createdAt, attributes } = (isObject(body.event) ? body.event : {}) as Fields;
  const pairs = (Array.isArray(attributes) ? attributes : []).map((each: unknown) => {
    const { name: attribute, value } = isObject(each) ? each : {};
    return JSON.stringify([attribute, value]);
  });
  const content = JSON.stringify([body.platform, body.platform_user_id, name, createdAt, pairs.sort()]);
  return `derived-${createHash('sha256').update(content).digest('hex').slice(0, 40)}`;
}

/** Iterates level by level: JSON.parse accepts values at which recursion overflows the stack. */
function isNestedDeeperThan(value: object, depth: number): boolean {
  let level = [value];
  for (let at = 0; level.length > 0; at++) {
    if (at === depth) return true;
    level = level.flatMap((each) => Object.values(each).filter((below) => typeof below === 'object' && below !== null));
  }
  return false;
}

function problemOf(field: string, message: string): EventBody {
  return { problem: { code: 'invalid_request', field, message } };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
