import { Controller } from '@nestjs/common';
import { topics } from '@podium/messages';
import { BatchHandler, type Outcome } from '@podium/runtime/kafka';
import { type ChangesBatch } from './handle-changes';
import { LiveProjector } from './live-projector';

/** Consumes changes of competition data from their topic. */
@Controller()
export class ChangesConsumer {
  constructor(private readonly projector: LiveProjector) {}

  @BatchHandler(topics.competitionChanges, 'competition-read.projection')
  handle(batch: ChangesBatch): Promise<Outcome[]> {
    return this.projector.handle(batch);
  }
}
