import { Controller } from '@nestjs/common';
import { topics, userErased } from '@podium/messages';
import { batchError, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { EraseUsers } from './erase-users';

/** Erases the users that linkage has erased. Positions are stored in Postgres, so that a restored database re-reads what it lacks. */
@Controller()
export class ErasuresConsumer {
  constructor(private readonly eraseUsers: EraseUsers) {}

  @BatchHandler(topics.erasures, 'engagement.erasures')
  async handle(batch: RecordBatch<typeof userErased>): Promise<Outcome[]> {
    const erasures = batch.records.flatMap(({ record }) => (record ? [record.data] : []));
    try {
      await this.eraseUsers.apply({ ...placeOf(batch), erasures });
      return batch.records.map(() => done);
    } catch (error) {
      throw batchError(error);
    }
  }
}
