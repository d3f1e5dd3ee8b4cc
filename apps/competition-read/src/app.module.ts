import { DynamicModule, Module } from '@nestjs/common';
import { ChangesConsumer } from './projection/changes.consumer';
import { LiveProjector } from './projection/live-projector';
import { ReadHandler } from './reads/http/read-handler';
import { readControllers } from './reads/http/read-controllers';
import { readRows } from './reads/rows/read-rows';

/** The controllers of all reads. The OpenAPI document is generated from them without a running service. */
export const dataControllers = readControllers(readRows);

/** The routes of the reads and the consumer of changes, with the objects that their controllers inject. */
@Module({})
export class AppModule {
  /** Without a handler there are no routes, and without a projector no consumer. */
  static of({ readHandler, projector }: { readHandler?: ReadHandler; projector?: LiveProjector }): DynamicModule {
    return {
      module: AppModule,
      controllers: [...(readHandler ? dataControllers : []), ...(projector ? [ChangesConsumer] : [])],
      providers: [readHandler, projector].flatMap((value) =>
        value ? [{ provide: value.constructor, useValue: value }] : [],
      ),
    };
  }
}
