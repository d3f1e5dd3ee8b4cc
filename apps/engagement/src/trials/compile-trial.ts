import { Queryable } from '@podium/runtime/postgres';
import { EngineDefinition } from '../evaluation/definition';
import { DefinitionSet, definitionSet } from '../progress/definition-set';
import { readApprovedRates } from '../rates/approved-rates.store';
import { usedPairs } from '../rates/used-pairs';
import { TrialSubject, compiledWith } from './trial';

/** Compiles a definition of a trial with the segments on which it depends and the rates that are approved by now. */
export async function compileTrial(
  tx: Queryable,
  subject: TrialSubject,
  definition: EngineDefinition,
): Promise<DefinitionSet> {
  const definitions = compiledWith(subject, definition);
  return definitionSet(definitions, false, await readApprovedRates(tx, usedPairs(definitions)));
}
