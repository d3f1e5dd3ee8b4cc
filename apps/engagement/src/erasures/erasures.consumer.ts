import { Controller } from '@nestjs/common';
import { topics, userErased } from '@podium/messages';
import { batchError, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { ApplyParts } from '../apply-batch';
import { applyErasures } from './apply-erasures';

/** Erases users whom linkage has erased; its positions lie in the tables, so that a restored database reads what it lacks. */
@Controller()
export class ErasuresConsumer {
  constructor(private readonly parts: ApplyParts) {}

  @BatchHandler(topics.erasures, 'engagement.erasures')
  async handle(batch: RecordBatch<typeof userErased>): Promise<Outcome[]> {
    const erasures = batch.records.flatMap(({ record }) => (record ? [record.data] : []));
    try {
      await applyErasures(this.parts, { ...placeOf(batch), erasures });
      return batch.records.map(() => done);
    } catch (error) {
      throw batchError(error);
    }
  }
}
