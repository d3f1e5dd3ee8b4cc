/** The command was given something that cannot be meant; nothing was sent. */
export class UsageError extends Error {}
