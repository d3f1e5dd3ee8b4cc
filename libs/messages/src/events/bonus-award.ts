import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** The payment of a task: an amount in a currency or unit, or an item; amounts are exact decimals as strings. */
export const Reward = Type.Object({
  type: Type.String({ description: 'For example bonus_money, points, item' }),
  amount: Type.String({ pattern: '^[0-9]{1,18}(\\.[0-9]{1,9})?$' }),
  currency: Type.Optional(Type.String()),
  item: Type.Optional(Type.String()),
});
export type Reward = Static<typeof Reward>;

const awardProperties = {
  award_id: Type.String({ description: 'Derived from (task, user, occurrence)' }),
  seq: Type.Integer({ minimum: 1, description: 'Position of the ledger entry within the award' }),
  task_id: Type.String(),
  task_version: Type.Integer({ minimum: 1 }),
  occurrence: Type.String({ description: 'Which time the goal was reached, for example g1:once or g1:every:7' }),
  platform: Type.String(),
  organizer_id: Type.String({ description: 'Who pays' }),
  user_id: Type.String(),
  platform_user_id: Type.String(),
  reward: Reward,
  reached_at: Type.Integer({ description: 'Unix seconds: the instant at which the goal held' }),
};

/** A ledger entry that pays a reward. */
export const BonusAwardIssuedData = Type.Object(awardProperties);
export type BonusAwardIssuedData = Static<typeof BonusAwardIssuedData>;

/** Pay once per (award_id, seq): a record may be delivered more than once; after a reversal an award may be issued again under a new seq. */
export const bonusAwardIssued = {
  type: 'engagement.bonus-award.issued',
  schemaVersion: 1,
  data: BonusAwardIssuedData,
  idempotencyKey: ['data.award_id', 'data.seq'],
  summary: 'A user reached the goal of a bonus task and is owed its reward',
} as const satisfies EventDefinition;

/** A ledger entry that reverses an issued award. */
export const BonusAwardReversedData = Type.Object({ ...awardProperties, reason: Type.String() });
export type BonusAwardReversedData = Static<typeof BonusAwardReversedData>;

/** Reverse once per (award_id, seq); it always follows the issue of the same award. */
export const bonusAwardReversed = {
  type: 'engagement.bonus-award.reversed',
  schemaVersion: 1,
  data: BonusAwardReversedData,
  idempotencyKey: ['data.award_id', 'data.seq'],
  summary: 'An issued award is taken back',
} as const satisfies EventDefinition;

/** The bonus engine's result of an award. */
export const BonusAwardResultData = Type.Object({
  award_id: Type.String(),
  seq: Type.Integer({ minimum: 1 }),
  result: Type.Union([Type.Literal('confirmed'), Type.Literal('rejected')]),
  reason: Type.Optional(Type.String()),
});
export type BonusAwardResultData = Static<typeof BonusAwardResultData>;

/** Applied once per (award_id, seq); a second, different answer for the same entry is ignored and counted. */
export const bonusAwardAnswered = {
  type: 'bonus.award.answered',
  schemaVersion: 1,
  data: BonusAwardResultData,
  idempotencyKey: ['data.award_id', 'data.seq'],
  summary: "The bonus engine's answer to an award",
} as const satisfies EventDefinition;
