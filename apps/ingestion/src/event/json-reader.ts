import { BodyRefusal, FieldProblem } from './body-refusal';
import { maxDepth } from './event-limits';

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** Most problems of a body that are collected: a body of 64 KiB can have thousands, which would take the time of events. */
export const maxProblems = 100;

/** A JSON number (RFC 8259, section 6) at the reader's position. */
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Reads JSON (RFC 8259) front to back, stricter than JSON.parse: NUL and unpaired surrogates in strings, repeated names and
 * depth over 8 are refused, because parsers disagree about them. The caller reads known values and skips the others. The first
 * problem throws `BodyRefusal` with the path of the current value; with a list for `problems`, only one after which nothing
 * more can be read does, and the others are added to the list, `maxProblems` at most.
 */
export class JsonReader {
  /** The path of the current value, for messages; `[]` stands for the element `index`. */
  path = '';
  index = 0;
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly problems?: FieldProblem[],
  ) {}

  /** Refuses the body because of a problem after which it can be read no further. */
  refuse(problem: string): never {
    throw this.refusalOf(problem);
  }

  /**
   * Refuses the body because of the value that was read or is to be skipped, unless all problems are collected. `retryAfterS`
   * is that of `FieldProblem`.
   */
  reject(problem: string, retryAfterS?: number): void {
    if (this.problems === undefined) throw this.refusalOf(problem, retryAfterS);
    if (this.problems.length < maxProblems) this.problems.push(this.refusalOf(problem, retryAfterS));
  }

  /** Whether the whole text begins with these characters. */
  begins(characters: string): boolean {
    return this.text.startsWith(characters);
  }

  /** Whether an object starts here; if so, the reader moves to its first name. */
  opensObject(): boolean {
    return this.opens(openBrace);
  }

  opensArray(): boolean {
    return this.opens(openBracket);
  }

  /** Whether the object is empty; call once after it opened. */
  endsEmptyObject(): boolean {
    return this.endsEmpty(closeBrace);
  }

  endsEmptyArray(): boolean {
    return this.endsEmpty(closeBracket);
  }

  /** Whether another member follows; otherwise the object has ended. */
  hasNextMember(): boolean {
    return this.hasNext(closeBrace);
  }

  hasNextElement(): boolean {
    return this.hasNext(closeBracket);
  }

  /** Reads a member's name and moves to its value. */
  name(): string {
    if (this.peek() !== quote) this.notJson();
    const name = this.readString();
    if (this.peek() !== colon) this.notJson();
    this.at++;
    return name;
  }

  /** A string, or `undefined` when the value here is of another type. */
  string(): string | undefined {
    return this.peek() === quote ? this.readString() : undefined;
  }

  /** The text of a number, or `undefined` when the value here is of another type. */
  number(): string | undefined {
    const first = this.peek();
    if (first !== 0x2d && !(first >= 0x30 && first <= 0x39)) return undefined;
    numberForm.lastIndex = this.at;
    const form = numberForm.exec(this.text);
    if (form === null) this.notJson();
    this.at += form[0].length;
    return form[0];
  }

  isNull(): boolean {
    this.peek();
    return this.text.startsWith('null', this.at);
  }

  /** Skips any value, with the same strictness as one that is used. */
  skip(): void {
    if (this.string() !== undefined || this.number() !== undefined) return;
    if (this.opensObject()) return this.skipMembers();
    if (this.opensArray()) return this.skipElements();
    for (const literal of ['true', 'false', 'null'])
      if (this.text.startsWith(literal, this.at)) {
        this.at += literal.length;
        return;
      }
    this.notJson();
  }

  /** Whether only white space is left. */
  isAtEnd(): boolean {
    this.peek();
    return this.at >= this.text.length;
  }

  /** Refuses anything but white space after the value. */
  end(): void {
    if (!this.isAtEnd()) this.notJson();
  }

  private refusalOf(problem: string, retryAfterS?: number): BodyRefusal {
    // Not in a name that the sender chose, which is quoted.
    const path = this.path.replace(/^([^"]*)\[\]/, `$1[${this.index}]`);
    return new BodyRefusal(path === '' ? `The body ${problem}.` : `${path} ${problem}.`, path, retryAfterS);
  }

  private skipMembers(): void {
    if (this.endsEmptyObject()) return;
    const names = new Set<string>();
    do {
      const name = this.name();
      if (names.has(name)) this.reject(`has the name ${shown(name)} twice in one object`);
      names.add(name);
      this.skip();
    } while (this.hasNextMember());
  }

  private skipElements(): void {
    if (this.endsEmptyArray()) return;
    do this.skip();
    while (this.hasNextElement());
  }

  private opens(open: number): boolean {
    if (this.peek() !== open) return false;
    this.at++;
    if (++this.depth > maxDepth) this.refuse(`is nested deeper than ${maxDepth} levels`);
    return true;
  }

  private endsEmpty(close: number): boolean {
    if (this.peek() !== close) return false;
    this.at++;
    this.depth--;
    return true;
  }

  private hasNext(close: number): boolean {
    const code = this.peek();
    if (code !== comma && code !== close) this.notJson();
    this.at++;
    if (code === comma) return true;
    this.depth--;
    return false;
  }

  /** The next character that is not white space; NaN at the end. */
  private peek(): number {
    const { text } = this;
    let code = text.charCodeAt(this.at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++this.at);
    return code;
  }

  private readString(): string {
    const { text } = this;
    const start = this.at + 1;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === backslash) return this.readEscaped(start, at);
      // Also true for NaN, the end of the text.
      if (!(code >= 0x20)) this.notJson();
      at++;
    }
    this.at = at + 1;
    return text.slice(start, at);
  }

  private readEscaped(start: number, firstEscape: number): string {
    const { text } = this;
    let value = '';
    let from = start;
    let at = firstEscape;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (!(code >= 0x20)) this.notJson();
      if (code !== backslash) {
        at++;
        continue;
      }
      value += text.slice(from, at) + this.escaped(at + 1);
      at += text.charCodeAt(at + 1) === 0x75 ? 6 : 2;
      from = at;
    }
    value += text.slice(from, at);
    this.at = at + 1;
    if (hasUnpairedSurrogate(value)) this.reject('has a string with an unpaired surrogate');
    return value;
  }

  private escaped(at: number): string {
    const simple = simpleEscapes.get(this.text.charCodeAt(at));
    if (simple !== undefined) return simple;
    const hex = this.text.slice(at + 1, at + 5);
    if (this.text.charCodeAt(at) !== 0x75 || !/^[0-9a-fA-F]{4}$/.test(hex)) this.notJson();
    if (hex === '0000') this.reject('has a string with NUL');
    return String.fromCharCode(parseInt(hex, 16));
  }

  private notJson(): never {
    throw new BodyRefusal(
      this.at >= this.text.length
        ? 'The body is not JSON: it ends too early.'
        : `The body is not JSON: see character ${this.at + 1}.`,
    );
  }
}

/** A partner's name for a message: quoted, escaped, truncated. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}

const simpleEscapes = new Map<number, string>(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([escape, character]) => [escape.charCodeAt(0), character],
  ),
);

/** Any unpaired surrogate becomes the same bytes in UTF-8, so that two different ids would collide. */
function hasUnpairedSurrogate(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return true;
    at++;
  }
  return false;
}
