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
  /** What an imported site said of its zone and its front page; null where none was imported. */
  readonly said: SaidSettings | null;
  /**
   * The newest IANA release of time zone data with which occurrences were planned; null before the
   * first.
   */
  readonly zoneData: string | null;
  /** Counts its changes. */
  readonly version: number;
}

/**
 * Settings as the root of REST shows them, where the settings that were made of them are those that the site has
 * still: a distance from UTC is no named zone, and a front page may be chosen and not be shown.
 */
export interface SaidSettings {
  readonly timezone_string: string;
  readonly show_on_front: string;
  readonly page_on_front: number;
  readonly page_for_posts: number;
  /** What was made of the first. */
  readonly timeZone: string;
  /** What was made of the others. */
  readonly frontPageId: number | null;
  readonly postsPageId: number | null;
}
