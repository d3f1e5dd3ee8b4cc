import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect } from 'node:net';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@podium/testing/free-port';
import { CheckReport } from '../../../libs/partner-check/src';
import { startServer } from '../../../libs/partner-check/test/running-server';
import { ScriptedBrowser } from '../../../libs/partner-check/test/scripted-browser';
import { LoopbackBrowser } from '../src/command-line/loopback-browser';
import { Terminal, runPartnerProgram } from '../src/command-line/partner-program';
import { InputEndedError } from '../src/command-line/terminal';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const exampleServer = path.resolve(__dirname, '../../../docs/examples/partner-server.mjs');
const secret = 'canary-secret-of-the-client';

/** A terminal whose person opens each printed address, and logs in. */
function personAt(redirectUrl: string, pastes: boolean): Terminal & { readonly printed: string[] } {
  const browser = new ScriptedBrowser(redirectUrl);
  const printed: string[] = [];
  let opened = '';
  return {
    printed,
    isInteractive: pastes,
    readStdin: async () => '',
    err: (text) => void printed.push(text),
    out: (text) => {
      printed.push(text);
      opened = /browser:\n {2}(\S+)/.exec(text)?.[1] ?? opened;
      if (!pastes && text.includes(opened) && opened !== '')
        void browser.returnFrom(opened).then((query) => fetch(`${redirectUrl}${query}`));
    },
    ask: async (question) => {
      printed.push(question);
      return question.startsWith('Paste') ? `${redirectUrl}${await browser.returnFrom(opened)}` : '';
    },
  };
}

describe('podium-partner link-check', () => {
  it.each([
    ['receives the redirect on this machine', false],
    ['lets a person paste the redirect', true],
  ])('%s, and writes the report without a secret', async (_, pastes) => {
    const folder = folderOf();
    const redirectUrl = pastes ? 'https://shop.example/back' : `http://127.0.0.1:${await freePort()}/callback`;
    const server = await startServer(process.execPath, [exampleServer], {
      ...{ CLIENT_ID: 'podium', CLIENT_SECRET: secret, REDIRECT_URL: redirectUrl },
      ...{ PLATFORM: 'shop', SEND_EVENT_URL: 'http://127.0.0.1:9/', EVENT_API_KEY: 'unused' },
    });
    const base = server.url;
    try {
      const [secretFile, json, html] = ['secret', 'report.json', 'report.html'].map((name) => path.join(folder, name));
      fs.writeFileSync(secretFile, `${secret}\n`);
      const terminal = personAt(redirectUrl, pastes);
      const code = await runPartnerProgram(
        [
          ...['link-check', '--authorization-url', `${base}/authorize`, '--base-url', base, '--client-id', 'podium'],
          ...['--client-secret-file', secretFile, '--redirect-url', redirectUrl, '--json', json, '--html', html],
          '--details',
        ],
        terminal,
      );
      const printed = terminal.printed.join('');
      expect([code, printed]).toEqual([0, expect.stringContaining('Linking works with the profile below.')]);
      expect(printed).toContain(`register for this client at your server:\n  ${redirectUrl}`);
      const report = JSON.parse(fs.readFileSync(json, 'utf8')) as CheckReport;
      expect(report).toMatchObject({ verdict: 'links', findings: [], log_ins: 2 });
      const page = fs.readFileSync(html, 'utf8');
      expect(page).toContain('<h1>Linking works');
      for (const text of [printed, JSON.stringify(report), page]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain('user-ada');
      }
    } finally {
      await server.stop();
    }
  });

  it('says what is wrong with its options', async () => {
    const terminal = personAt('http://127.0.0.1:1/', false);
    const options = ['--authorization-url', 'shop.example', '--base-url', 'https://shop.example', '--client-id', 'c'];
    expect(await runPartnerProgram(['link-check', ...options], terminal)).toBe(2);
    expect(terminal.printed.join('')).toContain('--client-secret-file is required');
    expect(await runPartnerProgram(['link-check', ...options, '--client-secret-file', '/none'], terminal)).toBe(2);
    expect(terminal.printed.join('')).toContain('cannot be read');
  });

  /** Arguments for a server that does not answer. */
  function argumentsOf(redirectUrl: string): string[] {
    const secretFile = path.join(folderOf(), 'secret');
    fs.writeFileSync(secretFile, secret);
    return [
      ...['link-check', '--authorization-url', 'http://127.0.0.1:9/authorize', '--base-url', 'http://127.0.0.1:9'],
      ...['--client-id', 'podium', '--client-secret-file', secretFile, '--redirect-url', redirectUrl],
    ];
  }

  it('says before any request that nobody can paste an address', async () => {
    const redirectUrl = 'https://shop.example/back';
    const terminal = personAt(redirectUrl, false);
    expect(await runPartnerProgram(argumentsOf(redirectUrl), terminal)).toBe(2);
    expect(terminal.printed).toEqual([expect.stringContaining('cannot be pasted here')]);
  });

  it('does not end as a success when the input ends before the check', async () => {
    const redirectUrl = `http://127.0.0.1:${await freePort()}/callback`;
    const ask = async (): Promise<string> => {
      throw new InputEndedError('ended');
    };
    const terminal = { ...personAt(redirectUrl, true), ask };
    expect(await runPartnerProgram(argumentsOf(redirectUrl), terminal)).toBe(3);
    await expect(fetch(redirectUrl)).rejects.toThrow('fetch failed');
  });

  it('goes on after a request whose target is no address', async () => {
    const port = await freePort();
    const redirectUrl = `http://127.0.0.1:${port}/callback`;
    const browser = await LoopbackBrowser.listen(redirectUrl, 1000, personAt(redirectUrl, false));
    try {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.end('GET // HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
      expect((await fetch(redirectUrl)).status).toBe(200);
    } finally {
      await browser.close();
    }
  });
});
