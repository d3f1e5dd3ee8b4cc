import { CodedError } from '@podium/messages';
import { Parameter, isStorable, refuseArgument, wholeNumber } from './parameter';

/** Longer than the id of any document. */
const maxIdBytes = 512;

/** An id in the path, opaque and compared byte for byte. An impossible id is 404, like one that does not exist. */
export function id(description: string, example: string): Parameter<string> {
  return {
    description,
    example,
    required: true,
    schema: { type: 'string' },
    fallback: '',
    read: (_name, [text]) => {
      if (text === '' || text.length > maxIdBytes || Buffer.byteLength(text) > maxIdBytes || !isStorable(text))
        throw new CodedError('not_found', { internal: 'an id that cannot exist' });
      return text;
    },
  };
}

/** A number in the path, in decimal digits; otherwise 400. */
export function numberInPath(description: string): Parameter<number> {
  const max = 2 ** 31 - 1;
  return {
    description,
    example: 1,
    required: true,
    schema: { type: 'integer', minimum: 0, maximum: max },
    fallback: 0,
    read: (name, [text]) =>
      wholeNumber(text, 0, max) ?? refuseArgument(name, `must be a whole number from 0 to ${max}, in decimal digits`),
  };
}

/** Ids that occur in the paths of several resources. */
export const ids = {
  championship_id: id('Championship, a UUID', 'b7a1a1f0-6f3e-4b57-9c0b-0a6b3f1f0c11'),
  game_id: id('Game, a word', 'cs2'),
  hub_id: id('Hub, a UUID', '2c8e6d6e-8a2b-4f7e-9d53-1f4f5d0b7a22'),
  player_id: id('Player, a UUID', '0d9f6c1a-2b3c-4d5e-8f60-718293a4b5c6'),
} as const;
