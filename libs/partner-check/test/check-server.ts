import { NodeTransport } from '../../../sdk/typescript/src/command-line/node-transport';
import { CheckReport, CheckTarget, runCheck } from '../src';
import { ScriptedBrowser } from './scripted-browser';

/** The redirect URL of checks in specs; nothing listens there. */
export const redirectUri = 'http://127.0.0.1:9/callback';

/** Runs the check against a server, with log-ins by requests alone. */
export async function checkServer(
  target: Omit<CheckTarget, 'redirectUri' | 'scope'> & Partial<CheckTarget>,
  browser = new ScriptedBrowser(target.redirectUri ?? redirectUri),
  { isAccountInUse = false, timeoutMs = 3000 } = {},
): Promise<CheckReport> {
  const transport = new NodeTransport();
  try {
    return await runCheck(
      { redirectUri, scope: null, ...target },
      { transport, browser, nowMs: Date.now, timeoutMs, isAccountInUse: async () => isAccountInUse },
    );
  } finally {
    transport.close();
  }
}

/** Codes of the findings of a report. */
export function codesOf({ findings }: CheckReport): string[] {
  return findings.map(({ code }) => code);
}
