import { Queryable } from '@podium/runtime/postgres';
import { EngineDefinition } from '../evaluation/definition';
import { DefinitionSet, definitionSet } from '../progress/definition-set';
import { readApprovedRates } from '../rates/approved-rates.store';
import { usedPairs } from '../rates/used-pairs';
import { Trial, compiledWith } from './trial';

/** Compiles a definition of a trial with the segments on which it depends and the rates that were approved when it was ordered. */
export async function compileTrial(
  tx: Queryable,
  { subject, orderedAt }: Pick<Trial, 'subject' | 'orderedAt'>,
  definition: EngineDefinition,
): Promise<DefinitionSet> {
  const definitions = compiledWith(subject, definition);
  return definitionSet(
    definitions,
    false,
    await readApprovedRates(tx, usedPairs(definitions), { approvedBy: orderedAt }),
  );
}
