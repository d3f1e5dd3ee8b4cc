import { DynamicModule } from '@nestjs/common';
import { Server } from '@nestjs/microservices';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';

/** What a composition root hands back. */
export interface ComposedApp {
  readonly module: DynamicModule;
  readonly adapter?: FastifyAdapter;
  /** Consumers, each a transport strategy; stopped in phase `work`. */
  readonly consumers?: readonly Server[];
  /** Last changes to the application before it listens: cookies, raw routes, content types. */
  readonly prepare?: (app: NestFastifyApplication) => Promise<void>;
}
