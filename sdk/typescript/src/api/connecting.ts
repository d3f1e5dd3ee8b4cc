/** Longer than the way to another continent takes, and than a lost packet, which is sent again after a second. */
const longestAttemptMs = 2_000;

/**
 * The option of a request for how long one of several addresses of a host is tried, in ms. After Node's own 250 it would give up those
 * of a distant host, also where all others fail, as addresses of IPv6 do in many networks. One that drops everything leaves time for the
 * others.
 */
export function attemptsWithin(timeoutMs: number): { readonly autoSelectFamilyAttemptTimeout: number } {
  return { autoSelectFamilyAttemptTimeout: Math.floor(Math.min(longestAttemptMs, timeoutMs / 4)) };
}

/** What an error says; one about several addresses of a host has a message for each, and none of its own. */
export function messageOf(error: Error): string {
  const { message, errors } = error as Error & { readonly errors?: unknown };
  return message === '' && Array.isArray(errors) ? (errors as Error[]).map(messageOf).join(', ') : message;
}
