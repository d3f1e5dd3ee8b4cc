import { Field, integer, internalFields, kafkaFields, oneOf, postgresFields } from '@podium/runtime/config';

const changesOwn = {
  COMPETITION_READ_PARTS: oneOf(['reads-and-changes', 'reads', 'changes'], {
    meaning: 'What this instance does: serve reads, apply changes from Kafka to the tables, or both',
    default: 'reads-and-changes',
  }),
  PROJECTION_POOL_SIZE: integer(
    { min: 1, max: 50 },
    {
      unit: 'connections',
      meaning: 'Connections of this instance for writing changes, in addition to those for reads',
      default: '4',
    },
  ),
} as const;

/** The configuration of an instance that only applies changes. The gateway sends it nothing, so it has no internal token. */
export const changesFields = { ...kafkaFields, ...postgresFields, ...changesOwn } as const;

/** The configuration of an instance that serves reads, and may apply changes as well. */
export const fields = {
  ...kafkaFields,
  ...postgresFields,
  INTERNAL_TOKEN: {
    ...internalFields.INTERNAL_TOKEN,
    meaning: `${internalFields.INTERNAL_TOKEN.meaning}; an instance with COMPETITION_READ_PARTS=changes needs none`,
  },
  ...changesOwn,
  DOCUMENTS_AT_HAND_MIB: integer(
    { min: 1, max: 16_384 },
    {
      unit: 'MiB',
      meaning: 'Memory for the cache of documents; each read still asks Postgres whether they changed',
      default: '64',
    },
  ),
  ANSWERS_KEPT_MIB: integer(
    { min: 1, max: 16_384 },
    {
      unit: 'MiB',
      meaning: 'Memory for the cache of repeated answers; before each use, Postgres reports whether data changed',
      default: '64',
    },
  ),
  PUBLIC_NAME: publicName({
    meaning:
      "The service's own name in field names: with acme, platform_url is served as acme_url; not demo; needs no import",
    default: 'platform',
  }),
} as const;

/** With these, two fields of one object would have the same name. */
const takenNames: ReadonlySet<string> = new Set(['demo']);

function publicName(declared: Omit<Field<unknown>, 'parse'>): Field<string> {
  return {
    ...declared,
    parse: (value) => {
      if (!/^[a-z][a-z0-9]{0,30}$/.test(value))
        throw new Error('must be 1 to 31 lower-case letters and digits that begin with a letter');
      if (takenNames.has(value)) throw new Error(`must not be ${value}: a match has a field ${value}_url of its own`);
      return value;
    },
  };
}
