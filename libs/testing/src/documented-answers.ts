import * as fs from 'node:fs';
import * as path from 'node:path';
import Ajv, { ValidateFunction } from 'ajv';

/** An answer of the operators' API. */
export interface OperatorAnswer {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

interface Documented {
  readonly $ref?: string;
  /** The document's schemas of replies have names. */
  readonly content?: Readonly<
    Record<string, { readonly schema: { readonly $ref: string }; readonly examples?: object }>
  >;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Documented>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly responses: Readonly<Record<string, Documented>> };
}

const file = path.join(__dirname, '../../../docs/openapi/operators.json');
const json = 'application/json';

/** As RFC 3339 has them; what another format says is not checked. */
const formats = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  int64: true,
} as const;

/**
 * Throws when the OpenAPI document of the operators' API does not have an operation that succeeds, the status of an operation, its
 * error code, or a field, a type or a value of its body: as a client takes answers that knows nothing else.
 */
export function requireDocumented(answer: OperatorAnswer): void {
  answers ??= new DocumentedAnswers();
  answers.require(answer);
}

let answers: DocumentedAnswers | undefined;

/** Each spec file compiles the schemas of what it is answered: as quickly as can be, because that takes longer than its checks. */
const quickly = { code: { optimize: false }, inlineRefs: false, validateSchema: false } as const;

/** The document with its compiled schemas; a process has one, because it is large. */
class DocumentedAnswers {
  private readonly document = JSON.parse(fs.readFileSync(file, 'utf8')) as Document;
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly ajv = new Ajv({ strict: false, formats, ...quickly }).addSchema({
    ...{ $id: 'operators', components: { schemas: strict(this.document.components.schemas) } },
  });

  require({ method, url, status, text }: OperatorAnswer): void {
    const [route, operation] = this.operationOf(method, url) ?? [];
    if (route === undefined || operation === undefined) {
      if (status < 400) throw new Error(`${method} ${url} answers ${status}, and no OpenAPI operation has this path.`);
      return;
    }
    const said = `${operation.operationId} answers ${status}`;
    const documented = operation.responses[status] as Documented | undefined;
    if (!documented) throw new Error(`${said}, which its OpenAPI operation does not list: ${text}`);
    const { content } = documented.$ref ? this.document.components.responses[nameOf(documented.$ref)] : documented;
    if (!content || !Object.hasOwn(content, json)) return;
    const body: unknown = JSON.parse(text);
    const validate = this.validatorOf(content[json].schema.$ref);
    if (validate(body)) return status < 400 ? undefined : requireCode(body as ErrorBody, content[json].examples, said);
    const problems = this.ajv.errorsText(validate.errors, { dataVar: 'body', separator: '\n' });
    throw new Error(`${said} other than its OpenAPI operation says:\n${problems}\n${text}`);
  }

  private operationOf(method: string, url: string): [route: string, operation: Operation] | undefined {
    const segments = url.split('?', 1)[0].split('/');
    const found = Object.keys(this.document.paths).filter((route) => matches(route.split('/'), segments));
    // A path without parameters goes first: /rates/audit is no rate.
    const [route] = found.sort((a, b) => a.split('{').length - b.split('{').length);
    const operation = route === undefined ? undefined : this.document.paths[route][method.toLowerCase()];
    return operation === undefined ? undefined : [route, operation];
  }

  private validatorOf(pointer: string): ValidateFunction {
    let validate = this.validators.get(pointer);
    if (!validate) this.validators.set(pointer, (validate = this.ajv.compile({ $ref: `operators${pointer}` })));
    return validate;
  }
}

interface ErrorBody {
  readonly error: { readonly code: string };
}

/** An error response has an example of each code. */
function requireCode({ error: { code } }: ErrorBody, examples: object = {}, said: string): void {
  if (!Object.hasOwn(examples, code))
    throw new Error(`${said} with ${code}, which its OpenAPI operation does not list.`);
}

/** Schemas of objects have no fields but the documented ones. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const made = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, strict(part)]));
  const isClosed = made.type === 'object' && 'properties' in made && !('additionalProperties' in made);
  return isClosed ? { ...made, additionalProperties: false } : made;
}

function matches(route: readonly string[], segments: readonly string[]): boolean {
  return route.length === segments.length && route.every((part, at) => part.startsWith('{') || part === segments[at]);
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
