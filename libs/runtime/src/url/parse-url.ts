/**
 * Parses an address by the URL standard; null for what is none. `URL.canParse` of Node 20 and 22 is not to be used: it takes
 * addresses with Latin-1 letters, as `https://bücher.example`, for none once V8 has optimized the call.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
