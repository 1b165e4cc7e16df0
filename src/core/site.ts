/** The settings of the site. The domain `site` reads and changes them. */
export interface Site {
  readonly title: string;
  readonly tagline: string;
  /**
   * IANA name. Dates of content are shown in it. Members without a known zone are reminded in it.
   */
  readonly timeZone: string;
  /** The category of posts that have no other. */
  readonly defaultCategoryId: number;
  /** The page that has the address of the site; null where there is none. Imports set it. */
  readonly frontPageId: number | null;
  /** The page that lists posts; null where there is none. Imports set it. */
  readonly postsPageId: number | null;
  /**
   * The newest IANA release of time zone data with which occurrences were planned; null before the
   * first.
   */
  readonly zoneData: string | null;
  /** Counts its changes. */
  readonly version: number;
}
