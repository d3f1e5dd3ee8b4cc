/** An event as the partner sent it (specification, Send-event request), with a valid form. */
export interface PartnerEvent {
  readonly platform: string;
  readonly platformUserId: string;
  readonly id: string;
  readonly name: string;
  /** Unix seconds at which it happened. */
  readonly createdAt: number;
  readonly attributes: readonly PartnerAttribute[];
}

/** One attribute as sent, negotiated or not. */
export interface PartnerAttribute {
  readonly name: string;
  readonly value: string;
}
