import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { isPublicPlace } from '../../../platform/fetch/addresses.js';
import { claimFiles, keepUpload } from '../../files/kept/keeping.service.js';
import { filePath } from '../../files/kept/kept-file.js';
import { sanitiseName } from '../rendering/sanitise.js';
import type { CreateMediaInput, MediaSizeInput } from './media.inputs.js';
import { fileName, type StoredSize } from './media-file.types.js';

const MOST_SIZES = 20;

/** What a new medium has of its file. */
export interface MediaSource {
  /** The title, when nobody gives one: the name of the file without its ending. */
  readonly title: string;
  readonly columns: {
    readonly sourceUrl: string;
    readonly mimeType: string;
    readonly width: number;
    readonly height: number;
    /** JSON list of StoredSize. */
    readonly sizes: string;
  };
  /** Makes the files those of the medium, in its transaction. */
  readonly claim?: (inner: RequestContext, mediaId: number) => Promise<void>;
}

/** Makes the files of a medium out of an upload. Throws what `keepUpload` throws. */
export async function uploadedSource(
  context: RequestContext,
  uploadId: number,
): Promise<MediaSource> {
  const kept = await keepUpload(context, uploadId);
  const { original, sizes, upload } = kept;
  const { mimeType, width, height } = original;
  const stored = sizes.map(({ size, width, height, ...file }): StoredSize => {
    return { name: size, width, height, sourceUrl: filePath(file) };
  });
  return {
    title: titleOf(upload.name),
    columns: {
      ...{ sourceUrl: filePath(original), mimeType, width, height },
      sizes: JSON.stringify(stored),
    },
    claim: (inner, mediaId) => claimFiles(inner, kept, mediaId),
  };
}

/** Checks a file at an address. Throws SIZES_INVALID, MEDIA_ADDRESS_PRIVATE. */
export async function addressedSource(
  context: RequestContext,
  { url, mimeType, sizes, width, height }: CreateMediaInput,
): Promise<MediaSource> {
  if (sizes && sizes.length > MOST_SIZES)
    throw refuse('SIZES_INVALID', `A medium has at most ${MOST_SIZES} sizes.`, { param: 'sizes' });
  const sourceUrl = url ?? '';
  refusePrivate(context, sourceUrl, 'url');
  for (const [i, size] of (sizes ?? []).entries())
    refusePrivate(context, size.url, `sizes.${i}.url`);
  return {
    title: titleOf(fileName(sourceUrl)),
    columns: {
      ...{ sourceUrl, mimeType: mimeType ?? '', width: width ?? 0, height: height ?? 0 },
      sizes: JSON.stringify(storedSizes(sizes ?? [])),
    },
  };
}

/** Refuses an address of a private network, which readers elsewhere cannot or must not ask. */
function refusePrivate({ siteUrl }: RequestContext, address: string, param: string): void {
  if (!URL.canParse(address)) return; // a path of this site
  const isOwn = URL.canParse(siteUrl) && new URL(address).origin === new URL(siteUrl).origin;
  if (!isOwn && !isPublicPlace(address))
    throw refuse('MEDIA_ADDRESS_PRIVATE', 'The address is one of a private network.', { param });
}

/** Renditions as they are stored, smallest first. */
const storedSizes = (sizes: readonly MediaSizeInput[]): StoredSize[] =>
  [...sizes]
    .sort((a, b) => a.width - b.width)
    .map(({ name, url, ...size }) => ({ name: sanitiseName(name), ...size, sourceUrl: url }));

/** Returns what a file is called when nobody says: its name without the ending. */
const titleOf = (name: string) => name.replace(/\.[^.]*$/, '').slice(0, 80) || 'file';
