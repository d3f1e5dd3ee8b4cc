import { CompetitionChange, competitionKindNames } from '@podium/messages';
import * as fc from 'fast-check';
import { changeOf, deletionOf } from './sample';
import { relatedDocument } from './related-documents';

/** Changes and deletions of documents of all kinds, often several revisions of one; the last one of a key is its newest. */
export function changeHistory(seed: number, perKind: number): CompetitionChange[] {
  const documents = competitionKindNames.flatMap((kind, index) =>
    fc.sample(relatedDocument([kind]), { seed: seed + index, numRuns: perKind }),
  );
  const random = seededRandom(seed);
  const revisions = new Map<string, number>();
  return documents.flatMap(({ kind, id, document, beside }) => {
    const name = `${kind} ${id}`;
    const revision = (revisions.get(name) ?? 0) + 2;
    revisions.set(name, revision);
    const change = changeOf(kind, { id, document, beside, revision });
    return random() < 0.2 ? [change, deletionOf(kind, id, revision + 1)] : [change];
  });
}

/** The items in a random order, some of them twice. */
export function shuffledWithRepeats<T>(items: readonly T[], random: () => number): T[] {
  const all = [...items, ...items.filter(() => random() < 0.3)];
  for (let index = all.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [all[index], all[other]] = [all[other], all[index]];
  }
  return all;
}

/** Splits items into batches of 1 to `maxSize`, in their order. */
export function inBatches<T>(items: readonly T[], maxSize: number, random: () => number): T[][] {
  const batches: T[][] = [];
  for (let at = 0; at < items.length;) {
    const size = 1 + Math.floor(random() * maxSize);
    batches.push(items.slice(at, at + size));
    at += size;
  }
  return batches;
}

/** Pseudo-random numbers from 0 to below 1 for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
