/** What a warning of an accepted event is about. */
export type WarningCode = 'value_not_parsed' | 'content_differs';

/** Something of an accepted event that its sender did not intend; it contains no value. */
export interface EventWarning {
  readonly code: WarningCode;
  /** The path of the field that it is about. */
  readonly field: string;
  readonly message: string;
}

/** A handled id came with other content (while the mark of the id lives). */
export const contentDiffers: EventWarning = {
  code: 'content_differs',
  field: 'event.id',
  message:
    'The id was handled before with other content. The first content stays; send other events under ids of their own.',
};
