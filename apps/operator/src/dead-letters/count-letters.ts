import { Kafka } from '@podium/runtime/kafka';
import { LetterTopic, readLetters } from './letter-topics';

/** Dead letters of one group and topic with one reason. */
export interface LetterCount {
  readonly group: string;
  readonly topic: string;
  readonly reason: string;
  /** Not yet redriven. */
  readonly open: number;
  readonly redriven: number;
  /** Unix milliseconds; null when none is open. */
  readonly oldestOpenAtMs: number | null;
}

/** Reasons may contain ids, so there may be as many reasons as letters. */
const maxReasons = 200;
const otherReasons = '(other reasons)';

/** Counts the dead letters of topics by reason; the oldest first; topics without dead letters are left out. */
export async function countLetters(kafka: Kafka, topics: readonly LetterTopic[]): Promise<LetterCount[]> {
  const counts: LetterCount[] = [];
  for (const topic of topics) counts.push(...(await countTopic(kafka, topic)));
  return counts.sort((a, b) => (a.oldestOpenAtMs ?? Infinity) - (b.oldestOpenAtMs ?? Infinity));
}

async function countTopic(kafka: Kafka, topic: LetterTopic): Promise<LetterCount[]> {
  const byReason = new Map<string, { open: number; redriven: number; oldestOpenAtMs: number | null }>();
  await readLetters(kafka, topic, {}, (letters) => {
    for (const { reason, redriven, failedAtMs } of letters) {
      const name = byReason.has(reason) || byReason.size < maxReasons ? reason : otherReasons;
      const count = byReason.get(name) ?? { open: 0, redriven: 0, oldestOpenAtMs: null };
      byReason.set(name, count);
      if (redriven) count.redriven++;
      else {
        count.open++;
        count.oldestOpenAtMs = Math.min(count.oldestOpenAtMs ?? Infinity, failedAtMs);
      }
    }
  });
  return [...byReason].map(([reason, count]) => ({ group: topic.group, topic: topic.row.name, reason, ...count }));
}
