import { ArgumentMetadata, ValidationError, ValidationPipe } from '@nestjs/common';
import { CodedError, isNestedDeeperThan } from '@podium/messages';
import { getMetadataStorage } from 'class-validator';

/** Validates DTOs at the edge; refuses unknown fields and reports the first problem with its field's path. */
export function dtoPipe(): ValidationPipe {
  return new BoundedPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: true },
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
    const inherited = metadata.type === 'body' || metadata.type === 'query' ? inheritedName(value) : undefined;
    if (inherited !== undefined)
      throw new CodedError('invalid_request', { message: `${inherited}: is unknown; leave it out` });
    return (await super.transform(value, metadata)) as unknown;
  }
}

/**
 * The path of a field whose name every object has, such as `toString`: class-transformer leaves these out, so that they would be ignored
 * in silence.
 */
function inheritedName(value: unknown, prefix = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const path = pathOf(prefix, value, name);
    if (name in Object.prototype) return path;
    const found = inheritedName(field, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a field, such as `scopes[0].game_ids`. */
function pathOf(prefix: string, holder: object | undefined, name: string): string {
  if (Array.isArray(holder)) return `${prefix}[${name}]`;
  return prefix === '' ? name : `${prefix}.${name}`;
}

function firstProblem(errors: ValidationError[], prefix = ''): string {
  const [first] = errors;
  if (!first) return 'The request is not valid.';
  const path = pathOf(prefix, first.target, first.property);
  if (first.children && first.children.length > 0) return firstProblem(first.children, path);
  return `${path}: ${problemOf(first)}`;
}

/** Rules of a value that already has the right type: of another one they say nothing true. */
const rulesOfValues = new Set([
  ...['min', 'max', 'minLength', 'maxLength', 'arrayMinSize', 'arrayMaxSize', 'arrayUnique'],
  ...['isIn', 'matches'],
]);

function problemOf({ property, target, constraints = {} }: ValidationError): string {
  if ('whitelistValidation' in constraints) return unknownField(target);
  const broken = Object.entries(constraints);
  const [, problem] = broken.find(([rule]) => !rulesOfValues.has(rule)) ?? broken[0] ?? [];
  if (problem === undefined) return 'is not valid';
  return problem.startsWith(`${property} `) ? problem.slice(property.length + 1) : problem;
}

/** What is wrong with a field that a DTO does not have. */
function unknownField(dto: object | undefined): string {
  const rules =
    dto === undefined ? [] : getMetadataStorage().getTargetValidationMetadatas(dto.constructor, '', false, false);
  const known = new Set(rules.map(({ propertyName }) => propertyName));
  return known.size === 0 ? 'is unknown; leave it out' : `is unknown; known fields are ${[...known].join(', ')}`;
}
