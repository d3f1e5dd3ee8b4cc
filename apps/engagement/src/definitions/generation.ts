import { Condition, Window } from '../evaluation/condition';
import { SegmentBody, TaskBody } from '../evaluation/definition';
import type { Definition } from './definition.entity';
import { isLive } from './is-live';

/** The number of a version's generation. */
export interface Generation {
  readonly generation: number;
  /** For the release before, which counts events by receipt; null: it begins with this version. */
  readonly countsFrom: Date | null;
}

/**
 * The generation of a version once it is published: that of the published version if goal and repeat, or the condition, are the
 * same, else the next one.
 */
export function generationOf(version: Definition, others: readonly Definition[]): Generation {
  const live = others.find(isLive);
  if (live?.generation && live.countsFrom && isSameGeneration(live.body, version.body))
    return { generation: live.generation, countsFrom: live.countsFrom };
  return { generation: Math.max(0, ...others.map(({ generation }) => generation ?? 0)) + 1, countsFrom: null };
}

/**
 * Whether two versions are of one generation: equal canonical goal and repeat, or condition, and equal zone if they use it
 * (docs/engine.md, reading 4).
 */
export function isSameGeneration(left: SegmentBody | TaskBody, right: SegmentBody | TaskBody): boolean {
  return JSON.stringify(identityOf(left)) === JSON.stringify(identityOf(right));
}

function identityOf(body: SegmentBody | TaskBody): unknown {
  const { zone } = body;
  if ('condition' in body) return { condition: body.condition, ...(usesZone(body.condition) ? { zone } : {}) };
  const { goal, repeat } = body;
  return { goal, repeat, ...('per' in repeat || usesZone(goal) ? { zone } : {}) };
}

/** Whether days, weeks or months of the definition's zone decide. */
function usesZone(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(usesZone);
  if ('any' in condition) return condition.any.some(usesZone);
  if ('not' in condition) return usesZone(condition.not);
  if ('streak' in condition || 'absent' in condition) return true;
  return 'window' in condition && isZoned(condition.window);
}

function isZoned(window: Window): boolean {
  return 'calendar' in window || ('rolling' in window && !window.rolling.startsWith('PT'));
}
