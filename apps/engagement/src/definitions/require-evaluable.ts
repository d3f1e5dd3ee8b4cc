import { CodedError } from '@podium/messages';
import { compileSegment } from '../evaluation/compiled-segment';
import { compileTask } from '../evaluation/compiled-task';
import { EngineDefinition } from '../evaluation/definition';
import { noRates } from '../evaluation/rates';
import { Definition } from './definition.entity';
import { StoredVersion, engineDefinition } from './engine-definition';
import { storedBody } from './stored-body';

/**
 * Requires that the engine can evaluate a version from what the database has of it: one that it cannot would be left out of all
 * evaluation (`LiveDefinitions`). The checks of bodies refuse such a version with its place; this throws `unprocessable` for
 * what they let pass.
 */
export function requireEvaluable(version: Definition): void {
  try {
    compileAlone(engineDefinition([asStored(version)]));
  } catch (error) {
    throw new CodedError('unprocessable', {
      message: `This ${version.kind} cannot be evaluated: ${error instanceof Error ? error.message : String(error)}`,
      internal: 'a body that passed all checks does not compile',
      cause: error,
    });
  }
}

/** Segments that it names may be missing: they compile by themselves. */
function compileAlone(definition: EngineDefinition): void {
  const segments = new Map<string, never>();
  if (definition.kind === 'segment') compileSegment(definition, segments, noRates);
  else compileTask(definition, segments, noRates);
}

/** As jsonb gives it back; a draft is taken as the first generation. */
function asStored(version: Definition): StoredVersion {
  const { body, attributeTypes } = JSON.parse(
    JSON.stringify({ body: storedBody(version.body), attributeTypes: version.attributeTypes }),
  ) as Pick<StoredVersion, 'body' | 'attributeTypes'>;
  return { ...version, generation: version.generation ?? 1, body, attributeTypes };
}
