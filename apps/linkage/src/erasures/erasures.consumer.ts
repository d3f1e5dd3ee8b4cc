import { Controller } from '@nestjs/common';
import { topics, userErased } from '@podium/messages';
import { placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done, skip } from '@podium/runtime/kafka';
import { ReapplyErasures } from './reapply-erasures';

/** Re-reads this service's own erasures; it has an effect only if the database was restored to a time before one. */
@Controller()
export class ErasuresConsumer {
  constructor(private readonly reapply: ReapplyErasures) {}

  @BatchHandler(topics.erasures, 'linkage.erasures')
  async handle(batch: RecordBatch<typeof userErased>): Promise<Outcome[]> {
    const erasures = batch.records.flatMap(({ record }) => (record ? [record.data] : []));
    const applied = await this.reapply.apply(erasures, placeOf(batch));
    return batch.records.map(({ record }) => (record && applied.has(record.data.erasure_id) ? done : skip('known')));
  }
}
