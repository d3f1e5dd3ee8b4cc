import type { Example } from './example-parts';
import { examplesOfInstants } from './examples-of-instants';
import { examplesOfRates } from './examples-of-rates';
import { examplesOfValues } from './examples-of-values';

/**
 * Worlds with answers computed by hand, named with the numbers of the readings in docs/engine.md. Missing are readings that
 * do not concern the evaluation of one user: 7 (two users), 16 (canonical form) and 17 (progress).
 */
export const examples: readonly Example[] = [...examplesOfInstants, ...examplesOfValues, ...examplesOfRates];
