/** A command is done and has found something to do: exit code 1, after its output. */
export class AttentionError extends Error {}
