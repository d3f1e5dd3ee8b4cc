import { jsonAnswer } from '../modes/answer-modes';
import { Answer, Delivery, Mode, PartnerOperation } from '../modes/mode';
import { ModeName, actsAt, isModeName, modeOf } from '../modes/modes';
import { rotating } from '../modes/refreshes';
import { takeSelection } from './mode-selection';
import { Account, OAuthPartner } from './oauth-partner';
import { OAuthServer, TokenRequest } from './oauth-server';
import { PartnerRefusal } from './partner-refusal';

/** The header with which one request asks for a mode. */
export const modeHeader = 'x-sandbox-mode';

/** A request to one of a partner's endpoints. */
export interface EndpointRequest {
  /** The address that was called, for a redirect to itself. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  /** The value of `modeHeader`. */
  readonly mode: string | undefined;
}

/** An answer and how it is written. */
export interface Reply {
  readonly answer: Answer;
  readonly delivery: Delivery;
  /** The operation, and the mode that was in force for it; null when the partner followed the specification. */
  readonly operation: PartnerOperation;
  readonly mode: ModeName | null;
}

/**
 * The endpoints that a partner hosts (specification, Partner-hosted endpoints), without HTTP, with the modes in force: that
 * of the request (`modeHeader`), that of the log-in, that of the partner, in this order.
 */
export class PartnerEndpoints {
  constructor(
    private readonly server: OAuthServer,
    private readonly changed: () => void,
  ) {}

  /** POST {partner_url}/oauth2/token. */
  token(partner: OAuthPartner, request: EndpointRequest, form: TokenRequest): Reply {
    const operation = form.grant_type === 'refresh_token' ? 'refresh' : 'exchange';
    const mode = this.modeFor(partner, operation, request, this.server.modeOfLogIn(partner, { form }));
    const policy = mode?.mode.kind === 'grants' ? mode.mode.policy : rotating;
    return this.reply(operation, mode, request, () => {
      if (!/^application\/x-www-form-urlencoded;\s*charset=utf-8$/i.test(request.contentType ?? ''))
        throw new PartnerRefusal(415, 'unsupported_content_type');
      return this.server.token(partner, request.authorization, form, policy);
    });
  }

  /** GET {partner_url}/oauth2/userinfo; `onIdentified` is called when the account was read. */
  userInfo(partner: OAuthPartner, request: EndpointRequest, onIdentified?: (account: Account) => void): Reply {
    const { authorization } = request;
    const mode = this.modeFor(partner, 'user_info', request, this.server.modeOfLogIn(partner, { authorization }));
    return this.reply('user_info', mode, request, () => {
      const account = this.server.userInfo(partner, authorization);
      onIdentified?.(account);
      return { sub: account.sub, nickname: account.nickname };
    });
  }

  /** The address to which a log-in that succeeded redirects; a mode of the log-in stays with its tokens. */
  redirect(
    partner: OAuthPartner,
    account: Account,
    query: Record<string, string | undefined>,
    { issuer, mode: chosen }: { issuer: string; mode?: string },
  ): string {
    const logIn = chosen !== undefined && isModeName(chosen) ? chosen : undefined;
    const parameters = this.server.grant(partner, account, query, logIn);
    const found = this.modeFor(partner, 'redirect', { mode: undefined }, logIn);
    if (found?.mode.kind === 'redirect') found.mode.change(parameters, { issuer });
    const url = new URL(query.redirect_uri ?? '');
    for (const [name, value] of parameters) url.searchParams.append(name, value);
    return url.href;
  }

  private modeFor(
    partner: OAuthPartner,
    operation: PartnerOperation,
    request: Pick<EndpointRequest, 'mode'>,
    ofLogIn: ModeName | undefined,
  ): NamedMode | null {
    const asked = [request.mode, ofLogIn].find(
      (name): name is ModeName => name !== undefined && isModeName(name) && actsAt(modeOf(name), operation),
    );
    const name = asked ?? takeSelection((partner.modes ??= []), operation);
    if (asked === undefined && name !== null) this.changed();
    return name === null ? null : { name, mode: modeOf(name) };
  }

  private reply(
    operation: PartnerOperation,
    named: NamedMode | null,
    { url }: Pick<EndpointRequest, 'url'>,
    work: () => object,
  ): Reply {
    const common = { operation, mode: named?.name ?? null };
    if (named?.mode.kind !== 'answer') return { ...common, answer: answerOf(work), delivery: { kind: 'whole' } };
    const { mode } = named;
    const normal = mode.takesEffect ? answerOf(work) : jsonAnswer({});
    return { ...common, answer: mode.answer(normal, { url }), delivery: mode.delivery };
  }
}

interface NamedMode {
  readonly name: ModeName;
  readonly mode: Mode;
}

function answerOf(work: () => object): Answer {
  try {
    return jsonAnswer(work());
  } catch (error) {
    if (error instanceof PartnerRefusal) return jsonAnswer({ error: error.error }, error.status);
    throw error;
  }
}
