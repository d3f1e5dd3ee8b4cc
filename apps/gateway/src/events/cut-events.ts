import { isUtf8 } from 'node:buffer';

/** The events of a batch as they were sent, or what is wrong with the body around them. */
export type CutEvents =
  { readonly ok: true; readonly events: readonly Buffer[] } | { readonly ok: false; readonly problem: string };

/**
 * Cuts the elements of `events` out of `{"events":[…]}` without parsing them: the bytes of each, without white space around
 * it. An element is what brackets that are not in strings enclose; whether it is JSON, UTF-8 or an event is checked where
 * single events are checked. If all elements are JSON, then so is the body, with exactly these elements. Other members are
 * ignored, but must be JSON and few (`otherMembers`). At most `maxEvents` are cut; never throws.
 */
export function cutEvents(body: Buffer, maxEvents: number): CutEvents {
  try {
    return { ok: true, events: new BatchScanner(body, maxEvents).read() };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.text };
    throw error;
  }
}

/**
 * Limits of the members beside `events`: their number, and the bytes of their names and values together. They are parsed at
 * once, while no other request is served, so a body full of them would hold up all partners.
 */
export const otherMembers = { max: 16, maxBytes: 4096 } as const;

/** It has no stack trace, because malformed bodies are cheap to send. */
class Problem {
  constructor(readonly text: string) {}
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const eventsName = 'events';

/** Some libraries write it before UTF-8, where no editor shows it. */
const byteOrderMark = Buffer.from('\ufeff');

class BatchScanner {
  private at = 0;
  private events: Buffer[] | undefined;
  private otherBytes = 0;

  constructor(
    private readonly body: Buffer,
    private readonly maxEvents: number,
  ) {}

  read(): Buffer[] {
    if (this.peek() !== openBrace) throw new Problem(this.noObject());
    this.at++;
    if (this.peek() === closeBrace) this.at++;
    else this.readMembers();
    if (this.peek() !== undefined) this.notJson();
    if (this.events === undefined) throw new Problem('events is missing.');
    if (this.events.length === 0) throw new Problem('events is empty.');
    return this.events;
  }

  private noObject(): string {
    const first = this.peek();
    if (first === undefined) return 'The body is empty.';
    if (first === openBracket) return 'The body is an array. Send an object that contains it: {"events": […]}.';
    return this.body.subarray(0, byteOrderMark.length).equals(byteOrderMark)
      ? 'The body begins with a byte order mark, which JSON does not have.'
      : 'The body is not a JSON object.';
  }

  private readMembers(): void {
    const others = new Set<string>();
    do {
      const name = this.readName();
      if (name === eventsName) this.readEvents();
      else if (others.has(name)) throw new Problem(`${JSON.stringify(name.slice(0, 60))} is given twice.`);
      else if (others.size === otherMembers.max)
        throw new Problem(`The body has more than ${otherMembers.max} members beside events.`);
      else {
        others.add(name);
        const value = this.skipValue();
        this.countOther(value);
        this.parsed(value);
      }
    } while (this.hasNext(closeBrace));
  }

  private readName(): string {
    if (this.peek() !== quote) this.notJson();
    const bytes = this.skipValue();
    if (bytes.length > otherMembers.maxBytes) this.tooLarge();
    const name = this.parsed(bytes) as string;
    if (name !== eventsName) this.countOther(bytes);
    if (this.peek() !== colon) this.notJson();
    this.at++;
    return name;
  }

  private countOther(bytes: Buffer): void {
    this.otherBytes += bytes.length;
    if (this.otherBytes > otherMembers.maxBytes) this.tooLarge();
  }

  private tooLarge(): never {
    throw new Problem(`The members beside events have more than ${otherMembers.maxBytes} bytes.`);
  }

  private readEvents(): void {
    if (this.events !== undefined) throw new Problem('events is given twice.');
    if (this.peek() !== openBracket) throw new Problem('events must be an array.');
    this.at++;
    const events: Buffer[] = [];
    this.events = events;
    if (this.peek() === closeBracket) {
      this.at++;
      return;
    }
    do {
      if (events.length === this.maxEvents)
        throw new Problem(`events holds more than ${this.maxEvents} events; send them in several requests.`);
      events.push(this.skipValue());
    } while (this.hasNext(closeBracket));
  }

  /** Moves behind the value at this place, by its brackets alone, and returns its bytes. */
  private skipValue(): Buffer {
    const first = this.peek();
    const start = this.at;
    if (first === quote) this.skipString();
    else if (first === openBrace || first === openBracket) this.skipBrackets();
    else this.skipScalar();
    return this.body.subarray(start, this.at);
  }

  private skipBrackets(): void {
    const { body } = this;
    let depth = 0;
    do {
      const byte = body[this.at];
      if (byte === quote) {
        this.skipString();
        continue;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) depth--;
      else if (byte === undefined) this.notJson();
      this.at++;
    } while (depth > 0);
  }

  private skipString(): void {
    const { body } = this;
    let at = this.at + 1;
    for (let byte = body[at]; byte !== quote; byte = body[at]) {
      if (byte === undefined) {
        this.at = at;
        this.notJson();
      }
      at += byte === backslash ? 2 : 1;
    }
    this.at = at + 1;
  }

  /** A number or a literal, or anything else up to the next separator. */
  private skipScalar(): void {
    const start = this.at;
    while (!endsScalar(this.body[this.at])) this.at++;
    if (this.at === start) this.notJson();
  }

  private hasNext(close: number): boolean {
    const byte = this.peek();
    if (byte !== comma && byte !== close) this.notJson();
    this.at++;
    return byte === comma;
  }

  /** The next byte that is not white space; undefined at the end. */
  private peek(): number | undefined {
    const { body } = this;
    while (isWhiteSpace(body[this.at])) this.at++;
    return body[this.at];
  }

  private parsed(bytes: Buffer): unknown {
    try {
      if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8'));
    } catch {
      // Refused below, with its place.
    }
    return this.notJson();
  }

  private notJson(): never {
    throw new Problem(
      this.at >= this.body.length
        ? 'The body is not JSON: it ends too early.'
        : `The body is not JSON: see byte ${this.at + 1}.`,
    );
  }
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsScalar(byte: number | undefined): boolean {
  switch (byte) {
    case undefined:
    case quote:
    case comma:
    case colon:
    case openBracket:
    case closeBracket:
    case openBrace:
    case closeBrace:
      return true;
    default:
      return isWhiteSpace(byte);
  }
}
