import { SegmentEvaluation } from '../evaluation/evaluate-segment';
import { LinkPeriod } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { MembershipReason, ToldMembership } from './memberships.store';

/** What is told of a user and a segment. */
export interface MembershipToTell {
  readonly member: boolean;
  /** The account that enters or leaves; undefined for a user whose links are unknown. */
  readonly account: string | undefined;
  /** Unix seconds. */
  readonly changedAt: number;
  readonly reason: MembershipReason;
}

/** A segment as it was evaluated for a user at `nowS`, Unix seconds. */
export interface EvaluatedMembership {
  readonly evaluated: Pick<SegmentEvaluation, 'member' | 'changedAt'>;
  readonly paused: boolean;
  readonly told: ToldMembership;
  /** Why the segment was evaluated. */
  readonly reason: MembershipReason;
  readonly view: Pick<UserView, 'isLinkedAt' | 'linkAt' | 'links'>;
  readonly nowS: number;
}

/**
 * The change of a membership that is to be told; null when there is none. Records name the account: a member who has linked
 * another one is told again, because that of the earlier link must not stay a member. A paused segment tells only of accounts
 * that are unlinked.
 */
export function membershipToTell({
  evaluated,
  paused,
  told,
  reason,
  view,
  nowS,
}: EvaluatedMembership): MembershipToTell | null {
  if (!told.member && (paused || !evaluated.member)) return null;
  const link = view.linkAt(nowS);
  const isLinked = view.isLinkedAt(nowS);
  if (!told.member) {
    // What lasts since an earlier link is told of the account of this one, which enters with it.
    const isSinceOther = view.linkAt(evaluated.changedAt)?.account !== link?.account;
    const changedAt = isSinceOther ? Math.max(evaluated.changedAt, link?.linkedAt ?? nowS) : evaluated.changedAt;
    return { member: true, account: link?.account, changedAt, reason: isLinked ? reason : 'link' };
  }
  const toldLink = linkOfTold(told, view, nowS);
  const isOtherAccount = isLinked && toldLink?.account !== link?.account;
  if (paused) {
    if (isLinked && !isOtherAccount) return null;
    const ended = isOtherAccount ? toldLink : link;
    const endedAt = isOtherAccount ? link?.linkedAt : undefined;
    return {
      member: false,
      account: ended?.account,
      changedAt: ended?.unlinkedAt ?? endedAt ?? nowS,
      reason: 'link',
    };
  }
  if (!evaluated.member)
    return {
      member: false,
      // Of another account nobody was told that it has entered.
      account: told.account ?? (toldLink ?? link)?.account,
      changedAt: evaluated.changedAt,
      reason: isLinked ? reason : 'link',
    };
  if (!isOtherAccount) return null;
  const changedAt = Math.max(evaluated.changedAt, link?.linkedAt ?? nowS);
  return { member: true, account: link?.account, changedAt, reason: 'link' };
}

/**
 * The link of the account that was told: the one of that instant is another if its record arrived afterwards. A link that only events of
 * other names show is not in the view; the one of the instant then says nothing of another account.
 */
function linkOfTold(
  { account, changedAt }: ToldMembership,
  view: EvaluatedMembership['view'],
  nowS: number,
): LinkPeriod | null {
  const link = view.linkAt(changedAt);
  if (account === null || account === link?.account) return link;
  return view.links.findLast((each) => each.account === account && each.linkedAt <= nowS) ?? link;
}
