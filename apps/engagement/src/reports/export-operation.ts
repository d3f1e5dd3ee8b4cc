import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';

/** Describes an export of a report, one item per line. */
export function ExportOperation(operationId: string, summary: string, item: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId,
      summary,
      description:
        'Role viewer. One item per line, with its `cursor`: after an interruption, continue with that of the last complete line. ' +
        'Lines without an item are empty or have a `cursor` alone, from which an export can be continued as well. ' +
        'A response that is cut off is not complete.',
    }),
    ApiOkResponse({
      description: `Newline-delimited JSON: ${item} and \`cursor\` in each line`,
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    }),
  );
}
