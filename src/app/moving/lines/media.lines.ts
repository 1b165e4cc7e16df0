import type { LineKind } from './line.js';

/** A file of a medium, as it stands in a line. */
export interface LineFile {
  /** Names the file in the folder of the export, and in the storage. */
  readonly key: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Of a file of the original, below its folder of uploads. */
  readonly path: string | null;
}

/** Media. Their files lie beside the lines. */
export const MEDIA_LINES: LineKind = {
  name: 'media',
  table: 'media',
  fields: {
    title: 'text',
    slug: 'text',
    caption: 'text',
    description: 'text',
    altText: 'text',
    mimeType: 'text',
    sourceUrl: 'text',
    width: 'integer',
    height: 'integer',
    sizes: { type: 'json', sql: 't.sizes::json' },
    details: 'json?',
    authorId: 'integer',
    itemId: 'integer?',
    attachment: 'json?',
    commentsOpen: 'boolean?',
    createdAt: 'instant',
    modifiedAt: 'instant',
    version: 'integer',
    clocks: 'json?',
  },
  parts: {
    files: {
      table: 'media_file',
      of: 'media_id',
      order: 'p.key',
      isCompleted: true,
      fields: {
        key: 'text',
        name: 'text',
        mimeType: 'text',
        bytes: 'integer',
        sha256: 'text',
        path: 'text?',
      },
    },
  },
  filled: ['sizes'],
  fill: ({ sizes }) => ({ sizes: JSON.stringify(sizes) }),
};
