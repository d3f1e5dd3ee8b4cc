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
  static of(...injected: [ReadHandler, LiveProjector]): DynamicModule {
    return {
      module: AppModule,
      controllers: [...dataControllers, ChangesConsumer],
      providers: injected.map((value) => ({ provide: value.constructor, useValue: value })),
    };
  }
}
