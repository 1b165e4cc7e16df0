/** A medium as read. */
export interface MediaRow {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly caption: string;
  readonly description: string;
  readonly altText: string;
  readonly mimeType: string;
  readonly sourceUrl: string;
  readonly width: number;
  readonly height: number;
  /** JSON list of MediaSize. */
  readonly sizes: string;
  readonly authorId: number;
  /** The item that it is attached to; 0 for none. */
  readonly itemId: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}
