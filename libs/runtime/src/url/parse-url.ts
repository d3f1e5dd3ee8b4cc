/**
 * Parses a URL by the URL standard; null when it is invalid. Do not use `URL.canParse` of Node 20 and 22: once V8 has
 * optimized the call, it rejects URLs with Latin-1 letters, such as `https://bücher.example`.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Whether clients can decode user, password and path: a % of their own must be written as %25. */
export function isPercentEncoded({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
