import { Controller } from '@nestjs/common';
import { topics, userErased } from '@podium/messages';
import { BatchHandler, type Outcome, type RecordBatch, done, skip } from '@podium/runtime/kafka';
import { ReapplyErasures } from './reapply-erasures';

/** Reads this service's own erasures back; only a database that was restored to before one has anything to do. */
@Controller()
export class ErasuresConsumer {
  constructor(private readonly reapply: ReapplyErasures) {}

  @BatchHandler(topics.erasures, 'linkage.erasures')
  async handle(batch: RecordBatch<typeof userErased>): Promise<Outcome[]> {
    const place = { topic: batch.topic, partition: batch.partition, nextOffset: batch.lastOffset + 1n };
    const erasures = batch.records.flatMap(({ record }) => (record ? [record.data] : []));
    const applied = await this.reapply.apply(erasures, place);
    return batch.records.map(({ record }) => (record && applied.has(record.data.erasure_id) ? done : skip('known')));
  }
}
