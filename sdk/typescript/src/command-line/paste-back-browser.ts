import { CheckBrowser, LogIn, LogInReturn } from '@podium/partner-check';
import { Terminal } from './terminal';

/** Prints the address to open, and lets a person paste the address to which the browser was sent; needs a person to ask. */
export class PasteBackBrowser implements CheckBrowser {
  constructor(
    private readonly redirectUrl: string,
    private readonly terminal: Terminal,
  ) {}

  async logIn({ number, purpose, url }: LogIn): Promise<LogInReturn> {
    this.terminal.out(`\nLog-in ${number}: ${purpose}. Open this address in your browser:\n  ${url}\n`);
    this.terminal.out(`Your browser then goes to ${this.redirectUrl}; it does not matter if there is no page.\n`);
    for (;;) {
      const pasted = (await this.terminal.ask('Paste that address from the address bar (empty to give up): ')).trim();
      if (pasted === '') return { returned: false };
      const query = this.queryOf(pasted);
      if (query !== null) return { returned: true, query };
      this.terminal.out(`That is not an address that begins with ${this.redirectUrl}.\n`);
    }
  }

  async close(): Promise<void> {}

  private queryOf(pasted: string): string | null {
    try {
      const [url, expected] = [new URL(pasted), new URL(this.redirectUrl)];
      return url.origin + url.pathname === expected.origin + expected.pathname ? url.search : null;
    } catch {
      return null;
    }
  }
}
