import { DynamicModule, Module, Provider } from '@nestjs/common';
import { DriftController } from './drift/drift.controller';
import { LinksConsumer } from './link-view/links.consumer';
import { PartnerReadsController } from './partner-reads/partner-reads.controller';
import { RefusalsController } from './refusals/refusals.controller';

/** Controllers for operators, below /admin/v1; the OpenAPI document is made from them without a running service. */
export const adminControllers = [RefusalsController, DriftController];

/** The routes of operators and partners, and the links' consumer around the providers that the composition root made. */
@Module({})
export class IngestionModule {
  static of(providers: Provider[]): DynamicModule {
    return {
      module: IngestionModule,
      controllers: [...adminControllers, PartnerReadsController, LinksConsumer],
      providers,
    };
  }
}
