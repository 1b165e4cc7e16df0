import { registerEnumType } from 'type-graphql';

/** Images can be featured; any other medium is a file to download. */
export enum MediaKind {
  IMAGE = 'image',
  FILE = 'file',
}

registerEnumType(MediaKind, {
  name: 'MediaKind',
  description: 'What a medium is to a page.',
  valuesConfig: {
    IMAGE: { description: 'Shown in place; can be featured.' },
    FILE: { description: 'Linked to.' },
  },
});

/** Returns the kind of a medium by the media type of its file. */
export const mediaKindOf = (mimeType: string) =>
  mimeType.startsWith('image/') ? MediaKind.IMAGE : MediaKind.FILE;
