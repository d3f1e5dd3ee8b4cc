import { AdmissionOutcome, refused } from '../event/outcome';
import { ActiveLink } from './link-view';

/** The link of an event's user, or the refusal of the event. */
export type LinkCheck =
  { readonly ok: true; readonly link: ActiveLink } | { readonly ok: false; readonly outcome: AdmissionOutcome };

/**
 * Refuses an event of a user who is not linked: it is neither stored nor marked as handled, so that a retry of the same id
 * is accepted after linking.
 */
export function checkLink(link: ActiveLink | undefined): LinkCheck {
  return link === undefined ? { ok: false, outcome: refused('user_not_linked') } : { ok: true, link };
}
