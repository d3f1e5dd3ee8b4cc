import { Scenario } from './scenarios';

/** One line of the table: what a case looks like from every side. */
export interface Expected {
  /** A part of what the user reads. */
  readonly user: string;
  /** The reason of a failed flow with the partner's code, or the problem of a link; null when there is none. */
  readonly code: string | null;
  /** The link's state afterwards; `none` when there is no link. */
  readonly link: 'none' | 'linking' | 'ready' | 'refreshing' | 'needs_reauth' | 'unlinked';
  /** What operators read about the requests to the partner. */
  readonly operators: readonly string[];
}

/** The expectations of a mode, one for each scenario in which it has an effect. */
export type ModeExpectations = Partial<Record<Scenario, Expected>>;

/** A flow that ends with a link. */
export const connected: Expected = { user: 'You are connected', code: null, link: 'ready', operators: [] };
/** A link that stays as it is. */
export const kept: Expected = { user: 'Connected as', code: null, link: 'ready', operators: [] };

/** What the page of a failed flow says, by its reason. */
export const sentences = {
  partner_refused: 'Arena did not confirm the log-in. Please try again.',
  partner_malformed: 'The response from Arena was invalid. We have recorded the error',
  partner_unavailable: 'Arena cannot be reached at the moment.',
  partner_said_no: 'The log-in at Arena was not completed.',
  request_unusable: 'The response from the partner was invalid. Please try again.',
  not_recognised: 'This attempt to connect is not valid',
  expired: 'The log-in at Arena took too long.',
  session_changed: 'Your log-in here ended or changed while you were logging in at Arena.',
  issuer_mismatch: 'The response did not come from Arena, so it was refused.',
  linked_elsewhere: 'This account at Arena is already connected to another user here.',
  other_account_linked: 'You have already connected another account at Arena.',
  integration_paused: 'Arena cannot be connected at the moment.',
  partner_moved: 'The address of Arena has changed since you started.',
} as const;

/** A flow that ends without a link. */
export function failedFlow(reason: keyof typeof sentences, partnerCode?: string, operators: string[] = []): Expected {
  return { user: sentences[reason], code: [reason, partnerCode].filter(Boolean).join(' '), link: 'none', operators };
}

/** A link whose refresh ended like this; the user is asked to log in again. */
export function needsLogin(problem: string, ...operators: string[]): Expected {
  return { user: 'Log-in needed', code: problem, link: 'needs_reauth', operators };
}

/** What linkage makes of an answer, in the words of its log, without the operation. */
export interface Fault {
  readonly kind: 'rejected' | 'malformed' | 'unavailable';
  readonly words: string;
  readonly partnerCode?: string;
}

/** What becomes of a refresh whose answer is a fault. */
export type RefreshFate =
  /** The partner did not take the token, or it may be busy: the link is refreshed later. */
  | 'later'
  /** The answer was lost more than once: the token will be sent again, and what is left of the grant is unknown. */
  | 'unknown'
  /** The answer was lost, and the partner that had rotated the token refused it when it was sent once more. */
  | 'lost'
  | 'ended';

/** The expectations of an answer that is a fault for whoever asks. `secondWords`: how the token's second answer differs. */
export function faulty(
  fault: Fault,
  fate: RefreshFate,
  secondWords?: string,
): Required<Omit<ModeExpectations, 'returning'>> {
  const words = (operation: string): string =>
    [`${operation} ${fault.kind}: ${fault.words}`, fault.partnerCode].filter(Boolean).join(', ');
  const reasons = {
    rejected: 'partner_refused',
    malformed: 'partner_malformed',
    unavailable: 'partner_unavailable',
  } as const;
  const failed = (operation: string): Expected =>
    failedFlow(reasons[fault.kind], fault.partnerCode, [words(operation)]);
  const ofRefresh = [words('refresh'), ...(secondWords === undefined ? [] : [`refresh ${secondWords}`])];
  const fates: Record<RefreshFate, Expected> = {
    later: { ...kept, operators: ofRefresh },
    unknown: { ...kept, code: 'grant_state_unknown', operators: ofRefresh },
    lost: needsLogin(
      'refresh_answer_lost',
      ...ofRefresh,
      'refresh rejected: the partner refused, status 400, invalid_grant',
    ),
    ended: needsLogin('grant_ended', ...ofRefresh),
  };
  return {
    linking: failed('exchange'),
    identifying: failed('user_info'),
    refreshing: fates[fate],
    checking: { ...kept, operators: [words('user_info')] },
  };
}

/** The expectations of an answer that counts as the specification's. */
export const harmless: Required<Omit<ModeExpectations, 'returning'>> = {
  ...{ linking: connected, identifying: connected, refreshing: kept, checking: kept },
};
