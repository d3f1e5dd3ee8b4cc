import { parseUrl } from '@podium/runtime/url';

/** The provider uses the standard `URL.parse`, which Node has from 22.1 on; on Node 20 it is added here. */
export function ensureUrlParse(): void {
  const url = URL as typeof URL & { parse?: (text: string, base?: string) => URL | null };
  url.parse ??= parseUrl;
}
