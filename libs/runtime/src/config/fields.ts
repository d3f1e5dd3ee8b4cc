import { isIP } from 'node:net';
import { isPercentEncoded, parseUrl } from '../url';
import { Field } from './config';

type Declared = Omit<Field<unknown>, 'parse'>;

/** A non-empty text. */
export function text(declared: Declared): Field<string> {
  return { ...declared, parse: (value) => value };
}

/** One of a closed list. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  declared: Declared,
): Field<Values[number]> {
  return {
    ...declared,
    parse: (value) => {
      if (!values.includes(value)) throw new Error(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

/** A whole number within inclusive bounds; its unit is in the declaration and in the name. */
export function integer(bounds: { min: number; max: number }, declared: Declared & { unit: string }): Field<number> {
  return {
    ...declared,
    parse: (value) => {
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < bounds.min || number > bounds.max)
        throw new Error(`must be a whole number from ${bounds.min} to ${bounds.max} ${declared.unit}`);
      return number;
    },
  };
}

/** A number from 0 to 1. */
export function share(declared: Declared): Field<number> {
  return {
    ...declared,
    parse: (value) => {
      if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(value)) throw new Error('must be a number from 0 to 1, such as 0.05');
      return Number(value);
    },
  };
}

/** A field that may be empty; its value is then the empty text. */
export function optional(field: Field<string>): Field<string> {
  return { default: '', ...field, parse: (value, source) => (value === '' ? '' : field.parse(value, source)) };
}

/**
 * An absolute address with one of the given schemes. Addresses with http or https are normalized, without a slash at their
 * end. Server addresses with a password stay as written.
 */
export function address(schemes: readonly string[], declared: Declared): Field<string> {
  return { ...declared, parse: (value) => parseAddress(value, schemes) };
}

/** Comma-separated http addresses without a path, normalized, for a client that speaks plain HTTP and has paths of its own. */
export function httpOrigins(declared: Declared): Field<readonly string[]> {
  return { ...declared, parse: (value) => partsOf(value).map(parseHttpOrigin) };
}

/** Comma-separated, normalized addresses of web pages; they may have a query. */
export function pages(declared: Declared): Field<readonly string[]> {
  return { ...declared, parse: (value) => partsOf(value).map((part) => parseWebAddress(part).href) };
}

/** Comma-separated hosts with their port, in lower case. */
export function hostPorts(declared: Declared): Field<readonly string[]> {
  return {
    ...declared,
    parse: (value) =>
      partsOf(value).map((part) => {
        if (!/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5}|\*)$/i.test(part))
          throw new Error(`must be host:port or host:*, comma-separated, and ${JSON.stringify(part)} is not`);
        return part.toLowerCase();
      }),
  };
}

/**
 * Comma-separated host:port, at least one. To the client a broker without its port is one that does not answer, and it tries for
 * ever. It cannot connect to an IPv6 address in brackets; a name may have such an address.
 */
export function brokers(declared: Declared): Field<readonly string[]> {
  return {
    ...declared,
    parse: (value) => {
      const all = partsOf(value);
      const wrong = all.find((broker) => !isBroker(broker));
      if (wrong !== undefined || all.length === 0)
        throw new Error(`must be host:port, comma-separated, and ${JSON.stringify(wrong ?? value)} is not`);
      return all;
    },
  };
}

/** Comma-separated texts; blanks around them and empty ones are dropped. */
export function list(declared: Declared): Field<readonly string[]> {
  return { ...declared, parse: partsOf };
}

/** Comma-separated networks (CIDR) or single addresses. */
export function networks(declared: Declared): Field<readonly string[]> {
  return {
    ...declared,
    parse: (value) => {
      const parts = partsOf(value);
      const wrong = parts.find((part) => !isNetwork(part));
      if (wrong !== undefined)
        throw new Error(`has ${JSON.stringify(wrong)}, which must be an address or a network as CIDR`);
      return parts;
    },
  };
}

/** One symmetric key of a ring. */
export interface RingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Encryption keys: the first one encrypts, and all of them decrypt. */
export type KeyRing = readonly [RingKey, ...RingKey[]];

/** `id:base64` pairs of 32-byte keys, comma-separated; an id is 1 to 64 letters, digits, _ or - and occurs once. */
export function keyRing(declared: Omit<Declared, 'secret'>): Field<KeyRing> {
  return {
    ...declared,
    secret: true,
    parse: (value) => {
      const keys = value.split(',').map((part) => {
        const at = part.indexOf(':');
        const key = Buffer.from(part.slice(at + 1), 'base64');
        if (at < 1 || key.length !== 32) throw new Error('must be id:base64 pairs of 32-byte keys, comma-separated');
        return { id: part.slice(0, at).trim(), key };
      });
      for (const { id } of keys)
        if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
          throw new Error(`has the key id ${JSON.stringify(id)}, which must be 1 to 64 letters, digits, _ or -`);
      if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new Error('has a key id twice');
      return keys as [RingKey, ...RingKey[]];
    },
  };
}

/** One or more secrets of visible ASCII characters, comma-separated: during a rotation all of them are in force. */
export function tokens(declared: Omit<Declared, 'secret'>): Field<readonly string[]> {
  return {
    ...declared,
    secret: true,
    parse: (value) => {
      const all = value.split(',').map((part) => part.trim());
      if (!all.every((token) => /^[\x21-\x7e]+$/.test(token)) || all.length > 4)
        throw new Error('must be 1 to 4 texts of visible ASCII characters, comma-separated');
      return all;
    },
  };
}

function partsOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isBroker(part: string): boolean {
  const port = Number(/^[^\s:/]+:(\d{1,5})$/.exec(part)?.[1]);
  return port >= 1 && port <= 65_535;
}

function isNetwork(part: string): boolean {
  const [, ip, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
  const version = isIP(ip ?? '');
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}

function parseHttpOrigin(value: string): string {
  const parsed = parseAddress(value, ['http']);
  if (parsed !== new URL(parsed).origin) throw new Error('must be addresses without a path');
  return parsed;
}

function parseAddress(value: string, schemes: readonly string[]): string {
  const url = parseUrl(value);
  if (!url || !schemes.includes(url.protocol.slice(0, -1)))
    throw new Error(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    if (!isPercentEncoded(url)) throw new Error('must have a % in its user, password and database written as %25');
    return value.replace(/\/+$/, '');
  }
  if (value.includes('?')) throw new Error('must not have a query');
  return parseWebAddress(value).href.replace(/\/+$/, '');
}

/** Rejects characters that URL parsers interpret differently. */
function parseWebAddress(value: string): URL {
  const url = /^https?:\/\/[^/]/i.test(value) ? parseUrl(value) : null;
  if (url === null) throw new Error('must be an address that starts with http:// or https://');
  if (/[\u0000-\u0020\u007f\\#]/.test(value) || /^https?:\/\/[^/?]*@/i.test(value))
    throw new Error('must have neither credentials nor a fragment, and no backslash, blank or control character');
  return url;
}
