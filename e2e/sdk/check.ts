import { WholeStack } from '../../tools/stack/whole-stack';
import { SeededRandom } from '@podium/testing/seeded-random';
import { SdkName } from './partner-process';

/** What the checks have in common. */
export interface CheckContext {
  readonly stack: WholeStack;
  /** A folder for queues and files. */
  readonly folder: string;
  readonly sizes: CheckSizes;
  readonly random: SeededRandom;
  readonly say: (line: string) => void;
}

/** How much a run does. */
export interface CheckSizes {
  /** Events through each SDK while processes are killed. */
  readonly fireEvents: number;
  /** How often the partner's process is killed at least. */
  readonly kills: number;
  readonly pacedEvents: number;
  /** Ids of the question, those of them that were never accepted, and ids of the large question. */
  readonly askedIds: number;
  readonly neverAccepted: number;
  readonly manyIds: number;
  readonly backfillLines: number;
}

export const fullSizes: CheckSizes = {
  ...{ fireEvents: 50_000, kills: 12, pacedEvents: 2_000 },
  ...{ askedIds: 100_000, neverAccepted: 1_234, manyIds: 1_000_000, backfillLines: 100_000 },
};

/** For continuous integration: a few minutes. */
export const shortSizes: CheckSizes = {
  ...{ fireEvents: 5_000, kills: 3, pacedEvents: 400 },
  ...{ askedIds: 10_000, neverAccepted: 123, manyIds: 100_000, backfillLines: 5_000 },
};

export const sdks: readonly SdkName[] = ['TypeScript', 'Python'];

/** One thing that was found to hold or not, with the numbers behind it. */
export interface Finding {
  readonly holds: boolean;
  readonly sentence: string;
}

/** At most so many ids are printed. */
const shown = 5;

/** That a list, for instance of lost events, is empty. */
export function noneOf(what: string, ids: readonly string[]): Finding {
  const sample = ids.length === 0 ? '' : `: ${ids.slice(0, shown).join(', ')}${ids.length > shown ? ', …' : ''}`;
  return { holds: ids.length === 0, sentence: `${ids.length} ${what}${sample}` };
}
