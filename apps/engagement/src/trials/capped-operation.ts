import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CappedUserPageReply } from './trial.dto';

/** Describes a list of the users whom a trial did not evaluate. */
export function CappedOperation(operationId: string, summary: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId,
      summary,
      description: 'Role viewer. A month of 500 stored events of a name is full: more of them may have been received.',
    }),
    ApiOkResponse({ type: CappedUserPageReply }),
  );
}
