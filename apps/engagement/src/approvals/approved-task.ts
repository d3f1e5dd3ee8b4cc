import { CodedError } from '@podium/messages';
import { Operator, requireRole } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { Definition } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { StoredVersion, engineDefinition } from '../definitions/engine-definition';
import { isLive } from '../definitions/is-live';
import { TaskDefinition } from '../evaluation/definition';
import { LiveDefinitions } from '../progress/live-definitions';

/**
 * The versions of a task for an operator who is an approver of its organizer; throws `not_found` for others' tasks and
 * `forbidden` without the role.
 */
export async function requireApprover(
  definitions: DefinitionsService,
  operator: Operator,
  taskId: string,
): Promise<Definition[]> {
  const versions = await definitions.show('task', operator, taskId);
  requireRole(operator, versions[0].organizerId, 'approver');
  return versions;
}

/**
 * The published task, which does not change until the transaction ends. `versions` were read before: the engine forgets a task
 * some time after its end, and from then on it never changes.
 */
export async function holdTask(tx: Queryable, live: LiveDefinitions, versions: Definition[]): Promise<TaskDefinition> {
  const { byId } = await live.currentOnceBuilt(tx);
  const known = byId.get(versions[0].definitionId);
  if (known?.kind === 'task') return known.definition;
  const ended = versions.some(({ state }) => state === 'ended') && engineDefinition(versions.filter(isPublished));
  if (ended && ended.kind === 'task') return ended;
  if (versions.some(isLive))
    throw new CodedError('conflict', {
      message:
        'The engine cannot evaluate this task and leaves it out (alert DefinitionsLeftOut), so that it issues nothing. The runbook ' +
        'of that alert says what to do.',
    });
  throw new CodedError('conflict', {
    message: 'No version of this task is published, so that it has awarded nothing. Publish one first.',
  });
}

function isPublished(version: Definition): version is Definition & StoredVersion {
  return version.generation !== null;
}
