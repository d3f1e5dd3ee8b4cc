import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../tools/stack/folders';
import { EdgeShape } from './response-checks';

/** The subset of an OpenAPI 3.0 schema that Podium's documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

/** An operation that a document describes. */
export interface Operation {
  readonly document: DocumentName;
  readonly shape: EdgeShape;
  readonly id: string;
  readonly method: string;
  /** Includes the server's path; parameters are in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema;
  readonly statuses: ReadonlySet<number>;
  /** Resolves a reference. */
  readonly resolve: (schema: Schema) => Schema;
}

/** The OpenAPI documents of the public APIs. */
export const documentNames = ['partner-events', 'me-links', 'operators', 'competition-data'] as const;

/** A document in docs/openapi. */
export type DocumentName = (typeof documentNames)[number];

interface Document {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** All operations of a document. */
export function operationsOf(name: DocumentName): Operation[] {
  const file = path.join(checkoutFolder, 'docs/openapi', `${name}.json`);
  const document = JSON.parse(fs.readFileSync(file, 'utf8')) as Document;
  const schemas = document.components?.schemas ?? {};
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.replace('#/components/schemas/', '')]);
  const base = document.servers?.[0]?.url ?? '';
  return Object.entries(document.paths).flatMap(([below, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      document: name,
      shape: name === 'competition-data' ? ('data' as const) : ('plain' as const),
      id: operation.operationId,
      method: method.toUpperCase(),
      path: base + below,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema,
      statuses: new Set(Object.keys(operation.responses).map(Number)),
      resolve,
    })),
  );
}
