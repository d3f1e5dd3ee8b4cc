import { DynamicModule } from '@nestjs/common';
import { Server } from '@nestjs/microservices';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InternalToken } from '../http';

/** The result of a composition root. */
export interface ComposedApp {
  readonly module: DynamicModule;
  readonly adapter?: FastifyAdapter;
  /** The app counts its requests itself; otherwise the framework counts them by route. */
  readonly countsRequests?: true;
  /** Identifies requests of the gateway, whose traces continue here. */
  readonly internalToken?: InternalToken;
  /** Its requests create records in many places, so a request's span stays active (`keepActiveSpans`). */
  readonly keepsActiveSpans?: true;
  /** Consumers, each a transport strategy; stopped in phase `work`. */
  readonly consumers?: readonly Server[];
  /** Final changes to the application before it listens: cookies, raw routes, content types. */
  readonly prepare?: (app: NestFastifyApplication) => Promise<void>;
}
