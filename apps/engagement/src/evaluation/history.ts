/** An applied event as the engine sees it. All times are Unix seconds; `receivedAt` is cut down to a whole second. */
export interface HistoryEvent {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly receivedAt: number;
  /** `linked_at` of the link under which it was accepted. */
  readonly linkedAt: number;
  /** The partner account (`platform_user_id`). */
  readonly account: string;
  readonly contractVersion: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A link of the user, half-open; `unlinkedAt` is null while it lasts. */
export interface LinkPeriod {
  readonly linkedAt: number;
  readonly unlinkedAt: number | null;
  readonly account: string;
}
