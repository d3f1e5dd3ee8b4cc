import { cursor } from './cursor';
import { Parameter, isStorable, onlyText, refuseArgument, wholeNumber } from './parameter';

/** Largest time in milliseconds that a date can be. */
const maxEpochMs = 8.64e15;

/** A whole number within bounds, both inclusive. */
export function integer(declared: {
  min: number;
  max: number;
  default: number;
  description: string;
}): Parameter<number> {
  const { min, max, description } = declared;
  return {
    description,
    required: false,
    schema: { type: 'integer', minimum: min, maximum: max, default: declared.default },
    fallback: declared.default,
    read: (name, texts) => readInteger(name, texts, min, max),
  };
}

/** A point in time as a whole number of its unit since 1970; not given means what the operation says. */
export function instant(description: string): Parameter<number | undefined> {
  return {
    description,
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: maxEpochMs },
    fallback: undefined,
    read: (name, texts) => readInteger(name, texts, 0, maxEpochMs),
  };
}

/** One of a closed list; another value is refused. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  fallback: Values[number],
  description: string,
): Parameter<Values[number]> {
  return {
    description,
    required: false,
    schema: { type: 'string', enum: values, default: fallback },
    fallback,
    read: (name, texts) => {
      const text = onlyText(name, texts);
      if (!values.includes(text)) refuseArgument(name, `must be one of ${values.join(', ')}`);
      return text;
    },
  };
}

/** `true` or `false`. */
export function bool(fallback: boolean, description: string): Parameter<boolean> {
  return {
    description,
    required: false,
    schema: { type: 'boolean', default: fallback },
    fallback,
    read: (name, texts) => {
      const text = onlyText(name, texts);
      if (text !== 'true' && text !== 'false') refuseArgument(name, 'must be true or false');
      return text === 'true';
    },
  };
}

/** A text that is compared, not searched: a game, a region, a name; one that nothing has is no mistake. */
export function word(description: string): Parameter<string | undefined> {
  return { ...text(description), required: false, fallback: undefined };
}

/** A text as `word`, that must be given. */
export function requiredWord(description: string): Parameter<string> {
  return { ...text(description), required: true, fallback: '' };
}

/** What a search looks for: 1 to 100 characters. */
export function searchText(description: string): Parameter<string> {
  const { read } = text(description);
  return {
    description,
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 100 },
    fallback: '',
    read: (name, texts) => {
      const value = read(name, texts);
      // A character is a code point here, two units at most.
      if (value.length > 200 || [...value].length > 100) refuseArgument(name, 'must have 1 to 100 characters');
      return value;
    },
  };
}

/** Any of a closed list, each once: a repeated key, or one value with commas. */
export function flags<const Values extends readonly string[]>(
  values: Values,
  description: string,
): Parameter<readonly Values[number][]> {
  return {
    description,
    required: false,
    schema: { type: 'array', items: { type: 'string', enum: values }, uniqueItems: true },
    fallback: [],
    read: (name, texts) => {
      const given = texts.flatMap((text) => text.split(',')).filter((part) => part !== '' && part !== 'undefined');
      for (const [at, part] of given.entries()) {
        if (!values.includes(part)) refuseArgument(name, `must be any of ${values.join(', ')}`);
        if (given.indexOf(part) !== at) refuseArgument(name, `has ${part} more than once`);
      }
      return given;
    },
  };
}

/** A field to sort by with its direction in front; an unescaped + arrives as a blank. */
export function sortBy<const Field extends string>(
  field: Field,
  description: string,
): Parameter<`+${Field}` | `-${Field}`> {
  const ascending = `+${field}` as const;
  const descending = `-${field}` as const;
  return {
    description,
    required: false,
    schema: { type: 'string', enum: [ascending, descending], default: descending },
    fallback: descending,
    read: (name, texts) => {
      const text = onlyText(name, texts);
      if (text === descending) return descending;
      if (text === ascending || text === ` ${field}`) return ascending;
      return refuseArgument(name, `must be ${ascending} or ${descending}`);
    },
  };
}

/** `offset`, `limit` and `cursor` of a paged read; offsets are bounded where the operation states a maximum. */
export function paging({ max = 100, default: fallback = 20, maxOffset = 2 ** 31 - 1 } = {}) {
  return { offset: offset(maxOffset), limit: limit(max, fallback), cursor };
}

/** How many items to leave out. */
export function offset(max: number): Parameter<number> {
  return integer({ min: 0, max, default: 0, description: 'Items to leave out before the first of the answer' });
}

/** How many items to give at most. */
export function limit(max: number, fallback: number): Parameter<number> {
  return integer({ min: 1, max, default: fallback, description: 'Most items of the answer' });
}

function text(description: string): Pick<Parameter<string>, 'description' | 'schema' | 'read'> {
  return {
    description,
    schema: { type: 'string' },
    read: (name, texts) => {
      const value = onlyText(name, texts);
      if (!isStorable(value)) refuseArgument(name, 'has characters that no name can have');
      return value;
    },
  };
}

function readInteger(name: string, texts: readonly string[], min: number, max: number): number {
  return (
    wholeNumber(onlyText(name, texts), min, max) ??
    refuseArgument(name, `must be a whole number from ${min} to ${max}, plain digits`)
  );
}
