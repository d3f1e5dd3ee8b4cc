/** Invalid arguments; nothing was sent. */
export class UsageError extends Error {}
