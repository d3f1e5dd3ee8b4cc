/** A problem of a body at one of its fields; the path is empty for the body as a whole. */
export interface FieldProblem {
  readonly field: string;
  /** A sentence that names the field. */
  readonly message: string;
  /** Whole seconds after which the same bytes have this problem no longer; missing when they always have it. */
  readonly retryAfterS?: number;
}

/** The refusal of a body, with a sentence that names the place. It has no stack trace, because bad bodies are cheap to send. */
export class BodyRefusal implements FieldProblem {
  constructor(
    readonly message: string,
    readonly field: string = '',
    readonly retryAfterS?: number,
  ) {}
}
