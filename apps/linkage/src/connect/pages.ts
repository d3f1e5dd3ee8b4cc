import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { UserPartner } from '../links/user-links';
import { LinkOutcome } from '../links/link-outcome';
import { OwnOrigin } from '../browser/own-origin';
import { Session } from '../browser/sessions';
import { failureTexts, filled, partnerReasonTexts, texts } from './texts';

/** A static file of the pages, named by its content so that browsers may cache it permanently. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const assetTypes = {
  'connect.css': 'text/css; charset=utf-8',
  'connect.mjs': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** No inline script or style, no other origins, no frames (threat: a partner's text that is shown on a page). */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Renders the pages of /connect. */
export class Pages {
  readonly assets: readonly Asset[];
  private readonly eta: Eta;

  constructor(private readonly ownOrigin: OwnOrigin) {
    const folder = assetsFolder();
    this.eta = new Eta({ views: folder, cache: true });
    this.assets = Object.entries(assetTypes).map(([name, type]) => {
      const body = readFileSync(join(folder, name));
      const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
      return { path: name.replace('.', `.${digest}.`), type, body };
    });
  }

  /** The page before the log-in. */
  welcome(reply: FastifyReply): void {
    this.send(reply, 'welcome', {});
  }

  /** The user's partners with the states of their links. */
  partners(reply: FastifyReply, session: Session, partners: readonly UserPartner[]): void {
    // Only on this page: inside the popup the header would cut the popup off from this page at the next change of origin.
    void reply.header('cross-origin-opener-policy', 'same-origin-allow-popups');
    this.send(reply, 'partners', { session, partners });
  }

  /** Sends the user to a partner; not by a redirect, because `form-action` restricts redirects of forms to this origin. */
  opening(reply: FastifyReply, partner: string, url: string): void {
    void reply.header('refresh', `0;url=${url}`);
    this.send(reply, 'opening', { url, ...wordsFor(partner) });
  }

  /** Asks for confirmation of a disconnect, for browsers without scripts. */
  confirmDisconnect(reply: FastifyReply, session: Session, partner: UserPartner): void {
    this.send(reply, 'disconnect', { session, partner, ...wordsFor(partner.display_name) });
  }

  /** The end of a linking flow: notifies the page that opened it and closes, or leads back. */
  outcome(reply: FastifyReply, outcome: LinkOutcome): void {
    const values = { partner: outcome.displayName, nickname: outcome.kind === 'linked' ? outcome.nickname : '' };
    const linked = outcome.kind === 'linked';
    const title = !linked ? texts.failedTitle : outcome.ready ? texts.linkedTitle : texts.linkingTitle;
    const text = !linked ? failureTexts[outcome.reason] : outcome.ready ? texts.linked : texts.linking;
    // The URL of this page has the code and state, so no request may carry it as its referrer.
    void reply.header('referrer-policy', 'no-referrer');
    void reply.status(linked ? 200 : outcome.reason === 'unfinished' ? 503 : 400);
    this.send(reply, 'outcome', {
      linked,
      pending: linked && !outcome.ready,
      integrationId: linked ? outcome.integrationId : '',
      title,
      message: filled(text, values),
      readyMessage: filled(texts.linked, values),
      partnerReason: linked || outcome.partnerCode === null ? null : partnerReasonTexts[outcome.partnerCode],
      returnTo: outcome.returnTo,
      targetOrigin: outcome.returnTo === null ? this.ownOrigin.origin : new URL(outcome.returnTo).origin,
    });
  }

  /** A message with a link back. */
  message(reply: FastifyReply, status: number, title: string, message: string): void {
    void reply.status(status);
    this.send(reply, 'message', { title, message });
  }

  private send(reply: FastifyReply, template: string, data: object): void {
    const [css, js, icon] = this.assets.map(({ path }) => `/connect/assets/${path}`);
    const html = this.eta.render(`./${template}`, { t: texts, filled, css, js, icon, dateOf, session: null, ...data });
    void reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'referrer-policy': reply.getHeader('referrer-policy') ?? 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .send(html);
  }
}

function wordsFor(partner: string): { words: (text: string) => string } {
  return { words: (text) => filled(text, { partner }) };
}

/** A date in words, in UTC. */
function dateOf(iso: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso));
}

/** Next to this file in the sources, below the bundle in a build. */
function assetsFolder(): string {
  const folder = [join(__dirname, 'assets'), join(__dirname, 'src', 'connect', 'assets')].find((path) =>
    existsSync(path),
  );
  if (!folder) throw new Error('the templates of /connect are missing');
  return folder;
}
