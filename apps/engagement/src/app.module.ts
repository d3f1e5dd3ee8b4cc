import { DynamicModule, Module, Type } from '@nestjs/common';
import { BearerTokens, InternalToken } from '@podium/runtime/http';
import { ApplyParts } from './apply-batch';
import { AwardResultsConsumer } from './awards/award-results.consumer';
import { AwardsController } from './awards/awards.controller';
import { AwardsService } from './awards/awards.service';
import { DefinitionsService } from './definitions/definitions.service';
import { SegmentsController } from './definitions/segments.controller';
import { TasksController } from './definitions/tasks.controller';
import { EngagementMetrics } from './engagement-metrics';
import { ErasuresConsumer } from './erasures/erasures.consumer';
import { UserEventsConsumer } from './inbox/user-events.consumer';
import { LinksConsumer } from './link-view/links.consumer';
import { UsersController } from './users/users.controller';
import { UsersService } from './users/users.service';

/** What the framework serves; the composition root made it. */
export interface EngagementParts {
  readonly internalToken: InternalToken;
  readonly bearerTokens: BearerTokens;
  readonly applyParts: ApplyParts;
  readonly metrics: EngagementMetrics;
  readonly definitions: DefinitionsService;
  readonly awards: AwardsService;
  readonly users: UsersService;
}

/** Controllers for operators, below /admin/v1; the OpenAPI document is made from them without a running service. */
export const adminControllers: Type[] = [SegmentsController, TasksController, AwardsController, UsersController];

/** The framework's view of engagement: operators' routes and the consumers. */
@Module({})
export class AppModule {
  static of(parts: EngagementParts): DynamicModule {
    return {
      module: AppModule,
      controllers: [...adminControllers, UserEventsConsumer, LinksConsumer, ErasuresConsumer, AwardResultsConsumer],
      providers: [
        { provide: InternalToken, useValue: parts.internalToken },
        { provide: BearerTokens, useValue: parts.bearerTokens },
        { provide: ApplyParts, useValue: parts.applyParts },
        { provide: EngagementMetrics, useValue: parts.metrics },
        { provide: DefinitionsService, useValue: parts.definitions },
        { provide: AwardsService, useValue: parts.awards },
        { provide: UsersService, useValue: parts.users },
      ],
    };
  }
}
