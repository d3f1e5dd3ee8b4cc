import { ArgumentMetadata, ValidationError, ValidationPipe } from '@nestjs/common';
import { CodedError, isNestedDeeperThan } from '@podium/messages';

/** Validates DTOs at the edge; refuses unknown fields and reports the first problem with its field's path. */
export function dtoPipe(): ValidationPipe {
  return new BoundedPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    exceptionFactory: (errors) => new CodedError('invalid_request', { message: firstProblem(errors) }),
  });
}

/** Deeper than any document of this service; the conversion to DTOs recurses once per level. */
const maxDepth = 64;

/** Refuses a body whose depth would overflow the stack. */
class BoundedPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && isNestedDeeperThan(value, maxDepth))
      throw new CodedError('invalid_request', { message: `The body is nested deeper than ${maxDepth} levels.` });
    return (await super.transform(value, metadata)) as unknown;
  }
}

function firstProblem(errors: ValidationError[], prefix = ''): string {
  const [first] = errors;
  if (!first) return 'The request is not valid.';
  const path = prefix === '' ? first.property : `${prefix}.${first.property}`;
  if (first.children && first.children.length > 0) return firstProblem(first.children, path);
  return `${path}: ${problemOf(first)}`;
}

/** Rules of a value that already has the right type: of another one they say nothing true. */
const rulesOfValues = new Set([
  ...['min', 'max', 'minLength', 'maxLength', 'arrayMinSize', 'arrayMaxSize', 'arrayUnique'],
  ...['isIn', 'matches'],
]);

function problemOf({ property, constraints = {} }: ValidationError): string {
  if ('whitelistValidation' in constraints) return 'is unknown; leave it out';
  const broken = Object.entries(constraints);
  const [, problem] = broken.find(([rule]) => !rulesOfValues.has(rule)) ?? broken[0] ?? [];
  if (problem === undefined) return 'is not valid';
  return problem.startsWith(`${property} `) ? problem.slice(property.length + 1) : problem;
}
