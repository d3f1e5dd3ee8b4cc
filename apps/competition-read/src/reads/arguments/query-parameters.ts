import { columnLengths } from '@podium/messages';
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

/** A Unix time, in the unit that the description states; the operation defines what an omitted one means. */
export function instant(description: string): Parameter<number | undefined> {
  return {
    description,
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: maxEpochMs },
    fallback: undefined,
    read: (name, texts) => readInteger(name, texts, 0, maxEpochMs),
  };
}

/** One value of a closed list. */
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

/** A word or an id to compare with, such as a game or a region. One that nothing has is not an error, unless it is too long. */
export function word(description: string): Parameter<string | undefined> {
  return { ...text(description, columnLengths.word), required: false, fallback: undefined };
}

/** A required `word`. */
export function requiredWord(description: string): Parameter<string> {
  return { ...text(description, columnLengths.word), required: true, fallback: '' };
}

/** A whole name to compare with; like a `word`, but as long as names may be. */
export function wholeName(description: string): Parameter<string | undefined> {
  return { ...text(description, columnLengths.name), required: false, fallback: undefined };
}

/** A required `wholeName`. */
export function requiredName(description: string): Parameter<string> {
  return { ...text(description, columnLengths.name), required: true, fallback: '' };
}

/** The text of a search: 1 to 100 characters. */
export function searchText(description: string): Parameter<string> {
  const maxLength = 100;
  return {
    ...text(description, maxLength),
    required: true,
    schema: { type: 'string', minLength: 1, maxLength },
    fallback: '',
  };
}

/** Any values of a closed list, each once: as a repeated argument, or separated by commas. */
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
        if (given.indexOf(part) !== at) refuseArgument(name, `must not repeat ${part}`);
      }
      return given;
    },
  };
}

/** A field to sort by, with its direction in front; an unescaped + arrives as a space. */
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

/** A text of at most `maxLength` code points. The `Link` of a page repeats it, so a longer one could exceed what clients take. */
function text(description: string, maxLength: number): Pick<Parameter<string>, 'description' | 'schema' | 'read'> {
  return {
    description,
    schema: { type: 'string', maxLength },
    read: (name, texts) => {
      const value = onlyText(name, texts);
      if (!isStorable(value)) refuseArgument(name, 'must not contain NUL or unpaired surrogates');
      // A code point has at most two UTF-16 units.
      if (value.length > 2 * maxLength || (value.length > maxLength && [...value].length > maxLength))
        refuseArgument(name, `must have at most ${maxLength} characters`);
      return value;
    },
  };
}

function readInteger(name: string, texts: readonly string[], min: number, max: number): number {
  return (
    wholeNumber(onlyText(name, texts), min, max) ??
    refuseArgument(name, `must be a whole number from ${min} to ${max}, in decimal digits`)
  );
}
