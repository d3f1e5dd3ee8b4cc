import {
  type BonusAwardIssuedData,
  type Reward,
  type SegmentMembershipData,
  bonusAwardIssued,
  topics,
} from '@podium/messages';
import { recordsOf } from '@podium/testing/records-of';

/** A record of an award's ledger entry. */
export interface PublishedEntry {
  readonly awardId: string;
  readonly seq: number;
  readonly kind: 'issued' | 'reversed';
  readonly taskId: string;
  readonly userId: string;
  readonly account: string;
  readonly version: number;
  /** Unix seconds. */
  readonly reachedAt: number;
  readonly reward: Reward;
}

/** A record of a membership. */
export interface PublishedMembership {
  readonly userId: string;
  readonly segmentId: string;
  readonly account: string;
  readonly member: boolean;
  /** Unix seconds. */
  readonly changedAt: number;
}

/** What a platform's consumers read, in the order of each key; a record that a relay has repeated stays once. */
export interface Published {
  readonly awards: readonly PublishedEntry[];
  readonly memberships: readonly PublishedMembership[];
}

/** Reads the records of a platform from the topics. */
export async function readPublished(platform: string): Promise<Published> {
  const [awards, memberships] = [
    await readRecords<BonusAwardIssuedData>(topics.awards.name, platform),
    await readRecords<SegmentMembershipData>(topics.memberships.name, platform),
  ];
  return {
    awards: awards.map(({ type, data }) => ({
      ...{ awardId: data.award_id, seq: data.seq, taskId: data.task_id, version: data.task_version },
      kind: type === bonusAwardIssued.type ? 'issued' : 'reversed',
      ...{ userId: data.user_id, account: data.platform_user_id, reachedAt: data.reached_at, reward: data.reward },
    })),
    memberships: memberships.map(({ data }) => ({
      ...{ userId: data.user_id, segmentId: data.segment_id, account: data.platform_user_id },
      ...{ member: data.member, changedAt: data.changed_at },
    })),
  };
}

interface PlatformRecord<Data> {
  readonly type: string;
  readonly revision: number;
  readonly data: Data;
}

async function readRecords<Data extends { readonly platform: string }>(
  topic: string,
  platform: string,
): Promise<PlatformRecord<Data>[]> {
  const records = (await recordsOf(topic)).flatMap(({ value }) =>
    value === null ? [] : [JSON.parse(value.toString()) as PlatformRecord<Data>],
  );
  const seen = new Set<number>();
  return records.filter(({ data, revision }) => {
    const isFirst = data.platform === platform && !seen.has(revision);
    if (isFirst) seen.add(revision);
    return isFirst;
  });
}
