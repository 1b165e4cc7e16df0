import { type EnumValue, enumType } from '../../../core/enum-type.js';

/** Images can be featured; any other medium is a file to download. */
export const MediaKind = enumType('MediaKind', 'What a medium is to a page.', {
  IMAGE: ['image', 'Shown in place; can be featured.'],
  FILE: ['file', 'Linked to.'],
});
export type MediaKind = EnumValue<typeof MediaKind>;

/** Returns the kind of a medium by the media type of its file. */
export const mediaKindOf = (mimeType: string) =>
  mimeType.startsWith('image/') ? MediaKind.IMAGE : MediaKind.FILE;
