import type { OpenAPIObject } from '@nestjs/swagger';
import { ErrorCode, ErrorRow, bodyErrors, edgeErrors, errorBody, errorCatalogue } from '../../../libs/messages/src';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;
const schemaName = 'ErrorReply';

/** Errors of changing operations, and of those that name their status: a conflict with the current state, or with a rule of the domain. */
const changeErrors = ['conflict', 'unprocessable'] as const satisfies readonly ErrorCode[];

/** The extension with which an operation names error codes that it alone returns; not part of the document. */
const ownErrors = 'x-error-codes';

/** Adds to every operation of a document the errors that it, or the edge in front of it, can return. */
export function withErrorResponses(document: OpenAPIObject): OpenAPIObject {
  const responses = new Map<string, object>();
  for (const item of Object.values(document.paths))
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const codes = [
        ...edgeErrors,
        ...(method === 'get'
          ? changeErrors.filter((code) => errorCatalogue[code].status in operation.responses)
          : [...bodyErrors, ...changeErrors, 'origin_refused' as const]),
        ...takeOwnErrors(operation),
      ];
      addErrors(operation, codes, responses);
    }
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, [schemaName]: errorSchema as never },
    responses: Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))) as never,
  };
  return document;
}

function takeOwnErrors(operation: Operation & { [ownErrors]?: readonly ErrorCode[] }): readonly ErrorCode[] {
  const codes = operation[ownErrors] ?? [];
  delete operation[ownErrors];
  return codes;
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'retry'],
      properties: {
        code: { type: 'string', description: 'A code of the error catalogue' },
        message: { type: 'string', description: 'What is wrong and what to do, for people' },
        retry: {
          type: 'string',
          enum: ['never', 'later', 'pause', 'now'],
          description: 'Whether and when the same request can succeed; the error catalogue explains the classes',
        },
      },
    },
  },
};

function addErrors(operation: Operation, codes: readonly ErrorCode[], responses: Map<string, object>): void {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, ofStatus] of byStatus) {
    const name = ofStatus.map(pascalCase).join('Or');
    responses.set(name, responseOf(ofStatus));
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

function responseOf(codes: readonly ErrorCode[]): object {
  const rows = codes.map((code): ErrorRow => errorCatalogue[code]);
  const headers = {
    ...(rows.some(({ retryAfterS }) => retryAfterS !== undefined) && {
      'Retry-After': {
        description: 'Whole seconds after which a retry makes sense',
        schema: { type: 'integer', minimum: 1 },
      },
    }),
    ...(codes.includes('unauthorized') && {
      'WWW-Authenticate': { description: 'Bearer', schema: { type: 'string' } },
    }),
  };
  return {
    description: rows.map(({ publicSentence }, place) => `\`${codes[place]}\`: ${publicSentence}`).join(' '),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaName}` },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorBody(code) }])),
      },
    },
  };
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
