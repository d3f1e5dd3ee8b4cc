import { CanActivate, ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common';
import { CodedError } from '@podium/messages';
import { BearerTokens, InternalToken, internalTokenHeader } from '@podium/runtime/http';
import type { FastifyRequest } from 'fastify';
import { LinkingUser } from './linking-user';
import { OwnOrigin } from './own-origin';
import { Sessions } from './sessions';

interface UserRequest extends FastifyRequest {
  linkingUser?: LinkingUser;
}

/**
 * Authenticates users by a token of the identity provider, otherwise by the session of /connect. With a session, changes
 * are accepted only from this service's own pages.
 */
@Injectable()
export class UserGuard implements CanActivate {
  constructor(
    private readonly internalToken: InternalToken,
    private readonly bearerTokens: BearerTokens,
    private readonly sessions: Sessions,
    private readonly ownOrigin: OwnOrigin,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<UserRequest>();
    this.internalToken.require(request.headers[internalTokenHeader]);
    request.linkingUser = await this.userOf(request);
    return true;
  }

  private async userOf(request: FastifyRequest): Promise<LinkingUser> {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const { sub } = await this.bearerTokens.claims(authorization);
      return { userId: sub, sessionId: null };
    }
    const session = await this.sessions.read(request);
    if (!session) throw new CodedError('unauthorized');
    if (request.method !== 'GET' && request.method !== 'HEAD') this.ownOrigin.require(request);
    return session;
  }
}

/** The user that `UserGuard` authenticated. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): LinkingUser => {
  const user = context.switchToHttp().getRequest<UserRequest>().linkingUser;
  if (!user) throw new Error('CurrentUser needs UserGuard on the route');
  return user;
});
