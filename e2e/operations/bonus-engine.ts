import { bonusAwardAnswered, encodeRecord } from '@podium/messages';
import { readTopics, stockClient } from '../support/read-topic';

/** A bonus engine: it answers each award exactly once. */
export class BonusEngine {
  private readonly answered = new Set<string>();

  constructor(private readonly brokers: string) {}

  /** Answers about `share` of the awards without an answer; returns their number. */
  async answer(share: number): Promise<number> {
    const awards = await readTopics(this.brokers, ['engagement.bonus-awards.v1']);
    const open = awards.filter(({ value }) => !this.answered.has(String(value.data.award_id)));
    const chosen = open.slice(0, Math.ceil(open.length * share));
    const producer = stockClient(this.brokers).producer();
    await producer.connect();
    try {
      await producer.send({
        topic: 'bonus.award-results.v1',
        acks: -1,
        messages: chosen.map(({ key, value }, at) => {
          const awardId = String(value.data.award_id);
          this.answered.add(awardId);
          const isPaid = at % 4 !== 0;
          const data = {
            award_id: awardId,
            seq: 1,
            result: isPaid ? ('confirmed' as const) : ('rejected' as const),
            ...(isPaid ? {} : { reason: 'account closed' }),
          };
          const envelope = {
            id: `answer-${awardId}`,
            revision: 0,
            occurred_at: Date.now(),
            key,
            source: 'bonus-engine',
          };
          return { key, value: encodeRecord(bonusAwardAnswered, { ...envelope, data }) };
        }),
      });
    } finally {
      await producer.disconnect();
    }
    return chosen.length;
  }
}
