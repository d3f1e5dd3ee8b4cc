import { DynamicModule, Module, Provider, Type } from '@nestjs/common';
import { ApprovalsController } from './approvals/approvals.controller';
import { DefinitionAuditController } from './approvals/definition-audit.controller';
import { AwardResultsConsumer } from './awards/award-results.consumer';
import { AwardsController } from './awards/awards.controller';
import { BackfillsController } from './backfills/backfills.controller';
import { SegmentsController } from './definitions/segments.controller';
import { TasksController } from './definitions/tasks.controller';
import { ErasuresConsumer } from './erasures/erasures.consumer';
import { ExplainController } from './explain/explain.controller';
import { UserEventsConsumer } from './applying/user-events.consumer';
import { LinksConsumer } from './link-view/links.consumer';
import { RatesController } from './rates/rates.controller';
import { ReportsController } from './reports/reports.controller';
import { DryRunsController } from './trials/dry-runs.controller';
import { PreviewsController } from './trials/previews.controller';
import { UsersController } from './users/users.controller';

/** Controllers for operators, below /admin/v1; the OpenAPI document is made from them without a running service. */
export const adminControllers: Type[] = [
  SegmentsController,
  TasksController,
  AwardsController,
  UsersController,
  ReportsController,
  ExplainController,
  ApprovalsController,
  BackfillsController,
  DefinitionAuditController,
  RatesController,
  PreviewsController,
  DryRunsController,
];

/** The routes and consumers of the service around the providers that its composition root made. */
@Module({})
export class AppModule {
  static of(providers: Provider[]): DynamicModule {
    const consumers = [UserEventsConsumer, LinksConsumer, ErasuresConsumer, AwardResultsConsumer];
    return { module: AppModule, controllers: [...adminControllers, ...consumers], providers };
  }
}
