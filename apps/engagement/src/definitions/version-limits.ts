import { CodedError, DefinitionData, topicMaxBytes } from '@podium/messages';
import { definitionRecordBytes } from './definition-record';
import { largestDefinition } from './largest-definition';

const maxVersions = 1000;

/**
 * Throws `conflict` for a definition with too many versions, or whose record would have no room for what can follow without
 * another version; `unprocessable` if its first version is too large.
 */
export function requireRoom(data: DefinitionData): void {
  const { kind, versions } = data;
  const instead = `end this ${kind} and create a new one.`;
  if (versions.length > maxVersions)
    throw new CodedError('conflict', { message: `A ${kind} has at most ${maxVersions} versions; ${instead}` });
  const bytes = definitionRecordBytes(largestDefinition(data));
  if (bytes <= topicMaxBytes) return;
  const size = `${Math.ceil(bytes / 1024)} KiB of at most ${Math.floor(topicMaxBytes / 1024)} KiB`;
  if (versions.length === 1)
    throw new CodedError('unprocessable', {
      message: `This ${kind} is too large, ${size} with its changes. State fewer or shorter tests and values.`,
    });
  throw new CodedError('conflict', {
    message: `The versions of this ${kind} are too large together, ${size} with their changes. Shorten the new version, or ${instead}`,
  });
}
