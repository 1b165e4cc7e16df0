/** The settings of the site. The domain `site` reads and changes them. */
export interface Site {
  readonly title: string;
  readonly tagline: string;
  /**
   * IANA name: content shows its dates in it, and members without a known zone are reminded by it.
   */
  readonly timeZone: string;
  /** The category of a post that has none. */
  readonly defaultCategoryId: number;
  /**
   * IANA version of the newest time zone data by which occurrences were planned; null before any.
   */
  readonly zoneData: string | null;
}
