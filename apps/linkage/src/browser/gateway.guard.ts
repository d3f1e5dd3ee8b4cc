import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import type { FastifyRequest } from 'fastify';

/** Admits requests that came through the gateway; pages identify their user themselves. */
@Injectable()
export class GatewayGuard implements CanActivate {
  constructor(private readonly internalToken: InternalToken) {}

  canActivate(context: ExecutionContext): boolean {
    this.internalToken.require(context.switchToHttp().getRequest<FastifyRequest>().headers[internalTokenHeader]);
    return true;
  }
}
