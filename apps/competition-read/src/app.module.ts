import { DynamicModule, Module } from '@nestjs/common';
import { ChangesConsumer, ProjectionParts } from './projection/changes.consumer';
import { DataEdge } from './reads/data-edge';
import { readControllers } from './reads/read-controllers';
import { readRows } from './reads/rows';

/** What the framework serves; the composition root made it. */
export interface CompetitionReadParts {
  readonly edge: DataEdge;
  readonly projection: ProjectionParts;
}

/** The controllers of all reads; the OpenAPI document is made from them without a running service. */
export const dataControllers = readControllers(readRows);

/** The framework's view of competition-read: the routes of reads and the consumer of changes. */
@Module({})
export class AppModule {
  static of(parts: CompetitionReadParts): DynamicModule {
    return {
      module: AppModule,
      controllers: [...dataControllers, ChangesConsumer],
      providers: [
        { provide: DataEdge, useValue: parts.edge },
        { provide: ProjectionParts, useValue: parts.projection },
      ],
    };
  }
}
