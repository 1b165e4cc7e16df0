/** What a caller wishes of the embed of a page. */
export interface Wishes {
  /** Pixels. */
  readonly maxWidth: number;
  /** Pixels. */
  readonly maxHeight: number;
  /** Whether a site outside the list of providers is asked as well. */
  readonly discover: boolean;
}

/** What a site answers about a page of it, checked and sanitised. */
export interface FoundEmbed {
  readonly type: 'rich' | 'video' | 'photo' | 'link';
  readonly title: string | null;
  readonly authorName: string | null;
  readonly authorUrl: string | null;
  readonly providerName: string | null;
  readonly providerUrl: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly html: string;
  readonly thumbnailUrl: string | null;
  readonly thumbnailWidth: number | null;
  readonly thumbnailHeight: number | null;
  /** The https scripts that a listed provider wants to be loaded. */
  readonly scripts: string[];
}

/** Asks other sites how their pages are embedded. */
export interface Oembed {
  /** Returns the embed of a page; undefined when nobody tells. Never throws. */
  find(address: string, wishes: Wishes): Promise<FoundEmbed | undefined>;
}
