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

/** Comma-separated texts; blanks around them and empty ones are dropped. */
export function list(declared: Declared): Field<readonly string[]> {
  return {
    ...declared,
    parse: (value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
  };
}

/** One symmetric key of a ring. */
export interface RingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** `id:base64` pairs of 32-byte keys, comma-separated; the first is used for new things, the others still open old ones. */
export function keyRing(declared: Omit<Declared, 'secret'>): Field<readonly [RingKey, ...RingKey[]]> {
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
      return keys as [RingKey, ...RingKey[]];
    },
  };
}
