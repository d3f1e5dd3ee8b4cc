import { CanActivate, ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { BearerTokens } from './bearer-tokens';
import { InternalToken, internalTokenHeader } from './internal-token';
import { Operator, operatorOf } from './operator-rights';

interface OperatorRequest extends FastifyRequest {
  operator?: Operator;
}

/** Admits operators: the request must come through the gateway, and its token is verified again here. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly internalToken: InternalToken,
    private readonly bearerTokens: BearerTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<OperatorRequest>();
    this.internalToken.require(request.headers[internalTokenHeader]);
    request.operator = operatorOf(await this.bearerTokens.claims(request.headers.authorization));
    return true;
  }
}

/** The operator that `OperatorGuard` admitted. */
export const CurrentOperator = createParamDecorator((_data: unknown, context: ExecutionContext): Operator => {
  const operator = context.switchToHttp().getRequest<OperatorRequest>().operator;
  if (!operator) throw new Error('CurrentOperator needs OperatorGuard on the route');
  return operator;
});
