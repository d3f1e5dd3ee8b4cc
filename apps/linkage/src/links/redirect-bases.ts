/** The addresses of this deployment below which partners may have registered their redirect URL. */
export class RedirectBases {
  constructor(
    /** Where users are; flows begin and end there. */
    private readonly publicUrl: string,
    /** Origins that reach this deployment too, during a change of its domain. */
    private readonly further: readonly string[],
  ) {}

  /** The address that was chosen for an integration, while it is configured; otherwise the first. */
  baseOf(chosen: string | null): string {
    return chosen !== null && this.further.includes(chosen) ? chosen : this.publicUrl;
  }

  /**
   * Where a redirect that arrived at a further address continues: the same path and query at the address where the user's
   * cookies are. Null at any other host. The target is always this deployment's own.
   */
  continuationOf(host: string | undefined, pathAndQuery: string): string | null {
    const isFurther = this.further.some((url) => new URL(url).host === host?.toLowerCase());
    return isFurther ? new URL(this.publicUrl).origin + pathAndQuery : null;
  }
}
