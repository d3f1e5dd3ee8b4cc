import { bonusAwardAnswered, encodeRecord } from '@podium/messages';

/** The fields of an award's record that an answer repeats. */
interface AwardRecord {
  readonly key: string;
  readonly data: { readonly award_id: string; readonly seq: number };
}

/** The record with which a bonus engine confirms an award, from the value of the award's record. */
export function confirmationOf(award: string): string {
  const { key, data } = JSON.parse(award) as AwardRecord;
  const { award_id, seq } = data;
  const id = `answer-${award_id}-${seq}`;
  return encodeRecord(bonusAwardAnswered, {
    ...{ id, revision: 0, occurred_at: Date.now(), key, source: 'bonus-engine' },
    data: { award_id, seq, result: 'confirmed' },
  }).toString();
}

/** The number of award answers that an engagement instance has handled since its start, by outcome. */
export async function answerOutcomes(healthUrl: string): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
  const rows = metrics.matchAll(/^engagement_award_answers_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm);
  return Object.fromEntries([...rows].map(([, outcome, count]) => [outcome, Number(count)]));
}
