import { GrantPolicy } from '../modes/mode';
import { OAuthPartner, Tokens } from './oauth-partner';
import { PartnerRefusal } from './partner-refusal';

/** Used pairs that a grant keeps, so that a token that is sent again is recognised. */
const usedPairsMax = 20;

/** The pair for which a refresh token stands, and the pair that replaced it if it was sent within its grace period. */
export interface FoundPair {
  readonly pair: Tokens;
  readonly successor: Tokens | null;
}

/** Finds the pair of a refresh token; throws `invalid_grant` for one that the partner does not accept. */
export function findPair(partner: OAuthPartner, refreshToken: string, policy: GrantPolicy, nowMs: number): FoundPair {
  const pair = partner.tokens.find((candidate) => candidate.refresh_token === refreshToken);
  if (!pair || policy.expired) throw new PartnerRefusal(400, 'invalid_grant');
  if (pair.used_at === undefined) return { pair, successor: null };
  const successor = partner.tokens[partner.tokens.indexOf(pair) + 1];
  const isNewest = successor?.family === pair.family && successor?.used_at === undefined;
  if (isNewest && nowMs - pair.used_at < policy.graceS * 1000) return { pair, successor };
  if (policy.reuse === 'ends_grant') endFamily(partner, pair);
  throw new PartnerRefusal(400, 'invalid_grant');
}

/** Replaces a pair by the next one of its grant, according to the policy. */
export function replacePair(
  partner: OAuthPartner,
  pair: Tokens,
  next: Tokens,
  policy: GrantPolicy,
  nowMs: number,
): void {
  const at = partner.tokens.indexOf(pair);
  if (policy.refreshToken !== 'new') {
    partner.tokens[at] = { ...next, refresh_token: pair.refresh_token };
    return;
  }
  pair.used_at = nowMs;
  partner.tokens.splice(at + 1, 0, next);
  const used = partner.tokens.filter((each) => each.family === pair.family && each.used_at !== undefined);
  for (const old of used.slice(0, -usedPairsMax)) partner.tokens.splice(partner.tokens.indexOf(old), 1);
}

/** Ends the grant of a pair: none of its tokens works any more. */
export function endFamily(partner: OAuthPartner, pair: Tokens): void {
  partner.tokens = partner.tokens.filter(
    (each) => each !== pair && (each.family === undefined || each.family !== pair.family),
  );
}
