import { Controller } from '@nestjs/common';
import { topics, userErased } from '@podium/messages';
import { BatchHandler, DataError, type Outcome, type RecordBatch, done, retryDependency } from '@podium/runtime/kafka';
import { isDataError } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { applyErasures } from './apply-erasures';

/** Erases users whom linkage has erased; its positions lie in the tables, so that a restored database reads what it lacks. */
@Controller()
export class ErasuresConsumer {
  constructor(private readonly parts: ApplyParts) {}

  @BatchHandler(topics.erasures, 'engagement.erasures')
  async handle(batch: RecordBatch<typeof userErased>): Promise<Outcome[]> {
    const { topic, partition, lastOffset, records } = batch;
    const erasures = records.flatMap(({ record }) => (record ? [record.data] : []));
    try {
      await applyErasures(this.parts, { topic, partition, nextOffset: lastOffset + 1n, erasures });
      return records.map(() => done);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isDataError(error)) throw new DataError(reason, { cause: error });
      return records.map(() => retryDependency(reason));
    }
  }
}
