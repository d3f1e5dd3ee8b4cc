import { CanActivate, ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common';
import { CodedError, platformHeader } from '@podium/messages';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import type { FastifyRequest } from 'fastify';

/** Admits reads that come through the gateway, which has checked the key and names its platform. */
@Injectable()
export class PartnerGuard implements CanActivate {
  constructor(private readonly internalToken: InternalToken) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    this.internalToken.require(headers[internalTokenHeader]);
    platformIn(headers[platformHeader]);
    return true;
  }
}

/** The platform of the caller's key; needs `PartnerGuard` on the route. */
export const CallerPlatform = createParamDecorator((_data: unknown, context: ExecutionContext): string =>
  platformIn(context.switchToHttp().getRequest<FastifyRequest>().headers[platformHeader]),
);

function platformIn(header: string | string[] | undefined): string {
  if (typeof header === 'string' && header !== '')
    try {
      return decodeURIComponent(header);
    } catch {
      // Refused below.
    }
  throw new CodedError('unauthorized', { internal: 'the header of the platform is missing or cannot be decoded' });
}
