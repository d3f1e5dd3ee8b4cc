const parameter = String.raw`[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",]+)`;
/** Servers part parameters by commas, as they should, or by blanks. */
const bearer = new RegExp(String.raw`(?:^|,)\s*Bearer\s+(${parameter}(?:(?:\s*,\s*|\s+)${parameter})*)`, 'i');

/**
 * The `error` of the Bearer challenge in a header WWW-Authenticate (RFC 6750 3), which may have challenges of other schemes before
 * and after it (RFC 9110 11.6.1); undefined when there is none.
 */
export function bearerError(header: string | undefined): string | undefined {
  const parameters = bearer.exec(header ?? '')?.[1] ?? '';
  for (const [, name, quoted, plain] of parameters.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g))
    if (name.toLowerCase() === 'error') return quoted ?? plain;
  return undefined;
}
