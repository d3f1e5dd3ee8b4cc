import { DynamicModule } from '@nestjs/common';
import { Server } from '@nestjs/microservices';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InternalToken } from '../http';

/** What a composition root hands back. */
export interface ComposedApp {
  readonly module: DynamicModule;
  readonly adapter?: FastifyAdapter;
  /** It counts its requests itself, in terms of its own; else they are counted by the framework's routes. */
  readonly countsRequests?: true;
  /** By it the gateway's requests are known, whose traces go on here. */
  readonly internalToken?: InternalToken;
  /** Its requests cause records in many places, so that a request's span is kept at hand (`keepActiveSpans`). */
  readonly keepsActiveSpans?: true;
  /** Consumers, each a transport strategy; stopped in phase `work`. */
  readonly consumers?: readonly Server[];
  /** Last changes to the application before it listens: cookies, raw routes, content types. */
  readonly prepare?: (app: NestFastifyApplication) => Promise<void>;
}
