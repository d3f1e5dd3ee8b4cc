import { CodedError } from '@podium/messages';
import { Definition } from './definition.entity';

const maxVersions = 1000;

/** The record of a definition has all its versions, and Kafka takes at most 1 MiB. */
const maxVersionsBytes = 512 * 1024;

/** Throws `conflict` when a definition has no room for so many versions; the last one is the new one. */
export function requireRoom(versions: readonly Definition[]): void {
  if (versions.length > maxVersions)
    throw new CodedError('conflict', { message: `A definition has at most ${maxVersions} versions.` });
  const sizes = versions.map(({ body, attributeTypes }) => Buffer.byteLength(JSON.stringify([body, attributeTypes])));
  if (sizes.reduce((sum, size) => sum + size, 0) > maxVersionsBytes)
    throw new CodedError('conflict', {
      message: `The versions of a definition have at most ${maxVersionsBytes / 1024} KiB together. Create a new one.`,
    });
}
