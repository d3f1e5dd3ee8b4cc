/** A committed file that is derived from code; `path` is relative to the repository. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
  /** A published version: an existing file is never overwritten, a change needs a new version. */
  readonly immutable?: boolean;
}

/** JSON in the committed format. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
