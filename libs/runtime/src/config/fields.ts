import { isIP } from 'node:net';
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

/** A whole number within bounds, both inclusive; its unit stands in the declaration and in the name. */
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
  return { default: '', ...field, parse: (value) => (value === '' ? '' : field.parse(value)) };
}

/** An absolute address with one of the given schemes, without a slash at its end. */
export function address(schemes: readonly string[], declared: Declared): Field<string> {
  return {
    ...declared,
    parse: (value) => {
      const url = URL.canParse(value) ? new URL(value) : null;
      if (!url || !schemes.includes(url.protocol.slice(0, -1)))
        throw new Error(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
      return value.replace(/\/+$/, '');
    },
  };
}

/** What each text of a list must be: whether one is, and the words for it. */
export interface ListRule {
  readonly accepts: (part: string) => boolean;
  readonly expected: string;
}

/** Comma-separated texts; blanks around them and empty ones are dropped. */
export function list(declared: Declared, rule?: ListRule): Field<readonly string[]> {
  return {
    ...declared,
    parse: (value) => {
      const parts = value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      const wrong = rule && parts.find((part) => !rule.accepts(part));
      if (wrong !== undefined) throw new Error(`has ${JSON.stringify(wrong)}, which must be ${rule?.expected}`);
      return parts;
    },
  };
}

/** A host, or an address (IPv6 in brackets), with a port. */
export const hostAndPort: ListRule = {
  accepts: (part) => /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i.test(part),
  expected: 'host:port',
};

/** An absolute address that programs or browsers are sent to. */
export const httpAddress: ListRule = {
  accepts: (part) => URL.canParse(part) && /^https?:\/\//.test(part),
  expected: 'an absolute http or https address',
};

/** A single IP address, or a network as CIDR. */
export const networkOrAddress: ListRule = {
  accepts: (part) => {
    const [, ip, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const version = isIP(ip ?? '');
    return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
  },
  expected: 'an address or a network as CIDR',
};

/** One symmetric key of a ring. */
export interface RingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Keys of which the first is used for new things; the others still open old ones. */
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
