import { ValidationError, ValidationPipe } from '@nestjs/common';
import { CodedError } from '@podium/messages';

/** Validates DTOs at the edge; unknown fields are refused and the first problem is answered with its field's path. */
export function dtoPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => new CodedError('invalid_request', { message: firstProblem(errors) }),
  });
}

function firstProblem(errors: ValidationError[], prefix = ''): string {
  const [first] = errors;
  if (!first) return 'The request is not valid.';
  const path = prefix === '' ? first.property : `${prefix}.${first.property}`;
  if (first.children && first.children.length > 0) return firstProblem(first.children, path);
  const [problem] = Object.values(first.constraints ?? {});
  return `${path}: ${problem ?? 'is not valid'}`;
}
