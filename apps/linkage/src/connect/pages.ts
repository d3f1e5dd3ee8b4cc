import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { CodedError, ErrorCode } from '@podium/messages';
import type { FastifyReply } from 'fastify';
import { UserPartner } from '../links/user-links';
import { LinkOutcome } from '../links/link-outcome';
import { OwnOrigin } from '../browser/own-origin';
import { Session } from '../browser/sessions';
import { Catalogue, english, filled } from './texts';

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

  constructor(
    private readonly ownOrigin: OwnOrigin,
    private readonly catalogue: Catalogue = english,
  ) {
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
  partners(
    reply: FastifyReply,
    session: Session,
    {
      partners,
      disconnected,
    }: { readonly partners: readonly UserPartner[]; readonly disconnected: UserPartner | null },
  ): void {
    // Only on this page: inside the popup the header would cut the popup off from this page at the next change of origin.
    void reply.header('cross-origin-opener-policy', 'same-origin-allow-popups');
    this.send(reply, 'partners', { session, partners, problems: this.catalogue.problems, disconnected });
  }

  /** Sends the user to a partner. */
  opening(reply: FastifyReply, partner: string, url: string): void {
    const { opening, openingNote, openingContinue } = this.catalogue.texts;
    const words = { title: opening, note: openingNote, action: openingContinue };
    this.leave(reply, url, { ...words, ...wordsFor(partner) });
  }

  /** Sends the user to the log-out of the identity provider; the session here has ended. */
  loggingOut(reply: FastifyReply, url: string): void {
    const { loggingOut, loggingOutNote, loggingOutContinue } = this.catalogue.texts;
    const words = { title: loggingOut, note: loggingOutNote, action: loggingOutContinue };
    this.leave(reply, url, { ...words, words: (text) => text });
  }

  /** Leads to another site; not by a redirect, because `form-action` restricts redirects of forms to this origin. */
  private leave(reply: FastifyReply, url: string, words: LeavingWords): void {
    void reply.header('refresh', `0;url=${url}`);
    this.send(reply, 'leaving', { url, ...words });
  }

  /** Asks for confirmation of a disconnect, for browsers without scripts. */
  confirmDisconnect(reply: FastifyReply, session: Session, partner: UserPartner): void {
    this.send(reply, 'disconnect', { session, partner, ...wordsFor(partner.display_name) });
  }

  /** Asks for confirmation of a test link. */
  confirmTest(reply: FastifyReply, partner: string, entry: string): void {
    this.send(reply, 'test', { entry, ...wordsFor(partner) });
  }

  /** The end of a test link; its result is for the operator who asked for it. */
  private tested(reply: FastifyReply, { displayName, isSuccess, reason }: TestedOutcome): void {
    const { texts, failures } = this.catalogue;
    const text = isSuccess || reason === null ? texts.tested : failures[reason];
    void reply.header('referrer-policy', 'no-referrer');
    const title = isSuccess ? 'testedTitle' : 'testFailedTitle';
    this.message(reply, isSuccess ? 200 : 400, title, filled(text, { partner: displayName }));
  }

  /** A test link goes on; its result will be for the operator who asked for it. */
  private testing(reply: FastifyReply, partner: string): void {
    void reply.header('referrer-policy', 'no-referrer');
    this.message(reply, 200, 'testingTitle', filled(this.catalogue.texts.testing, { partner }));
  }

  /** The end of a linking flow: notifies the page that opened it and closes, or leads back. */
  outcome(reply: FastifyReply, outcome: LinkOutcome): void {
    if (outcome.kind === 'testing') return this.testing(reply, outcome.displayName);
    if (outcome.kind === 'tested') return this.tested(reply, outcome);
    const { texts, failures, partnerReasons } = this.catalogue;
    const values = {
      partner: outcome.displayName ?? texts.thePartner,
      nickname: outcome.kind === 'linked' ? outcome.nickname : '',
    };
    const linked = outcome.kind === 'linked';
    const title = !linked ? texts.failedTitle : outcome.ready ? texts.linkedTitle : texts.linkingTitle;
    const text = !linked ? failures[outcome.reason] : outcome.ready ? texts.linked : texts.linking;
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
      partnerReason: linked || outcome.partnerCode === null ? null : partnerReasons[outcome.partnerCode],
      returnTo: outcome.returnTo,
      targetOrigin: outcome.returnTo === null ? this.ownOrigin.origin : new URL(outcome.returnTo).origin,
    });
  }

  /** The user's form did not come from these pages. */
  foreign(reply: FastifyReply): void {
    this.message(reply, 403, 'foreignTitle', this.catalogue.texts.foreign);
  }

  /** There is no such partner or connection. */
  gone(reply: FastifyReply): void {
    this.message(reply, 404, 'goneTitle', this.catalogue.texts.gone);
  }

  /** The redirect belonged to a check of the partner's server. */
  checkReturned(reply: FastifyReply): void {
    void reply.header('referrer-policy', 'no-referrer');
    this.message(reply, 200, 'checkReturnedTitle', this.catalogue.texts.checkReturned);
  }

  /** The redirect belonged to a check, and came from another browser than that of the log-in; it changed nothing. */
  checkElsewhere(reply: FastifyReply): void {
    void reply.header('referrer-policy', 'no-referrer');
    this.message(reply, 400, 'checkElsewhereTitle', this.catalogue.texts.checkElsewhere);
  }

  /** No check waits for the log-in of an address. */
  checkGone(reply: FastifyReply): void {
    this.message(reply, 404, 'checkGoneTitle', this.catalogue.texts.checkGone);
  }

  /** The address of a test link is not valid. */
  testGone(reply: FastifyReply): void {
    this.message(reply, 404, 'testGoneTitle', this.catalogue.texts.testGone);
  }

  /** A log-in did not succeed; `unavailable` when the identity provider does not answer. */
  loginFailed(reply: FastifyReply, why: 'invalid' | 'unavailable'): void {
    const { loginFailed, loginUnavailable } = this.catalogue.texts;
    if (why === 'invalid') this.message(reply, 400, 'loginFailedTitle', loginFailed);
    else this.message(reply, 503, 'loginFailedTitle', loginUnavailable);
  }

  /** A change was refused; the sentence depends on the code, never on the text of the error. */
  refused(reply: FastifyReply, error: CodedError): void {
    const { texts, failures } = this.catalogue;
    const sentences: Partial<Record<ErrorCode, string>> = {
      integration_paused: filled(failures.integration_paused, { partner: texts.thePartner }),
      rate_limited: texts.tooOften,
    };
    if (error.retryAfterS !== undefined) void reply.header('retry-after', String(error.retryAfterS));
    this.message(reply, error.status, 'refusedTitle', sentences[error.code] ?? texts.refused);
  }

  private message(reply: FastifyReply, status: number, title: keyof Catalogue['texts'], message: string): void {
    void reply.status(status);
    this.send(reply, 'message', { title: this.catalogue.texts[title], message, isGood: status < 400 });
  }

  private send(reply: FastifyReply, template: string, data: object): void {
    const [css, js, icon] = this.assets.map(({ path }) => `/connect/assets/${path}`);
    const { language, texts: t } = this.catalogue;
    const dateOf = (iso: string): string => dateIn(language, iso);
    const shared = { language, t, filled, css, js, icon, dateOf, session: null };
    const html = this.eta.render(`./${template}`, { ...shared, ...data });
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

/** What the page says on the way to another site. */
interface LeavingWords extends ReturnType<typeof wordsFor> {
  readonly title: string;
  readonly note: string;
  readonly action: string;
}

type TestedOutcome = Extract<LinkOutcome, { kind: 'tested' }>;

function wordsFor(partner: string): { words: (text: string) => string } {
  return { words: (text) => filled(text, { partner }) };
}

/** A date in words, in UTC. */
function dateIn(language: string, iso: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso));
}

/** Next to this file in the sources, below the bundle in a build. */
function assetsFolder(): string {
  const folder = [join(__dirname, 'assets'), join(__dirname, 'src', 'connect', 'assets')].find((path) =>
    existsSync(path),
  );
  if (!folder) throw new Error('the templates of /connect are missing');
  return folder;
}
