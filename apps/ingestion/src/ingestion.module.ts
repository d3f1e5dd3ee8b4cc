import { DynamicModule, Module } from '@nestjs/common';
import { BearerTokens, InternalToken } from '@podium/runtime/http';
import { ApplyLinks } from './link-view/apply-links';
import { LinkView } from './link-view/link-view';
import { LinksConsumer } from './link-view/links.consumer';
import { RefusalCounts } from './refusals/refusal-counts';
import { RefusalsController } from './refusals/refusals.controller';
import { RefusalsService } from './refusals/refusals.service';

/** Operators' routes, also for their OpenAPI. */
export const adminControllers = [RefusalsController];

/** What the framework serves; the composition root made it. */
export interface IngestionParts {
  readonly internalToken: InternalToken;
  readonly bearerTokens: BearerTokens;
  readonly refusals: RefusalsService;
  readonly refusalCounts: RefusalCounts;
  readonly applyLinks: ApplyLinks;
  readonly linkView: LinkView;
}

/** The framework's view of ingestion: operators' routes and the links' consumer. */
@Module({})
export class IngestionModule {
  static of(parts: IngestionParts): DynamicModule {
    return {
      module: IngestionModule,
      controllers: [...adminControllers, LinksConsumer],
      providers: [
        { provide: InternalToken, useValue: parts.internalToken },
        { provide: BearerTokens, useValue: parts.bearerTokens },
        { provide: RefusalsService, useValue: parts.refusals },
        { provide: RefusalCounts, useValue: parts.refusalCounts },
        { provide: ApplyLinks, useValue: parts.applyLinks },
        { provide: LinkView, useValue: parts.linkView },
      ],
    };
  }
}
