import { join } from 'node:path';
import type { Sharp, SharpConstructor } from 'sharp';
import { lazily } from '../lazily.js';
import { Turns } from '../mutex.js';
import { type Pixels, type SizePlan, sizesOf } from './image-sizes.js';

/** How images are written, by the media types that are read. AVIF takes 1.3 s a million pixels. */
const FORMATS = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: 90 }),
  'image/png': (image: Sharp) => image.png(),
  'image/gif': (image: Sharp) => image.gif({ effort: 1 }),
  'image/webp': (image: Sharp) => image.webp({ quality: 90, effort: 1 }),
} as const;
type ImageType = keyof typeof FORMATS;

/** Milliseconds of processor for a million pixels of noise, with all renditions. */
export const MAKING: Readonly<Record<ImageType, number>> = {
  'image/jpeg': 55,
  'image/png': 130,
  'image/gif': 600,
  'image/webp': 430,
};

/** The decoders of these formats; no other is ever run, whatever a file contains. */
const DECODERS = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((name) => `VipsForeignLoad${name}`);
/** Seconds by the clock for each of these steps, on a machine that has other work too. */
const MOST_SECONDS = 60;

const load = lazily<SharpConstructor>('sharp');
let loaded: SharpConstructor | undefined;

/** Loads the library when the first image comes. It keeps nothing between images. */
function sharp(): SharpConstructor {
  if (loaded) return loaded;
  loaded = load();
  loaded.cache(false);
  loaded.concurrency(1);
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: DECODERS });
  return loaded;
}

/** An image cannot be decoded, or not within the bounds. */
export class ImageError extends Error {}

/** An image that was written to a file. */
export interface WrittenImage extends Pixels {
  readonly path: string;
}

/** A rendition that was written to a file. */
export interface WrittenSize extends WrittenImage {
  readonly name: string;
}

const turns = new Turns<'image'>();

/** Returns whether a media type is that of an image. */
export const isImage = (mimeType: string): mimeType is ImageType =>
  Object.hasOwn(FORMATS, mimeType);

/**
 * Returns how many pixels the image of a file has, all pictures of an animation together, by its
 * header. Throws an ImageError when it has none.
 */
export async function pixelsOf(path: string): Promise<number> {
  const { width, height, pageHeight, pages } = await decoded(() => sharp()(path).metadata());
  return width * (pageHeight ?? height) * (pages ?? 1);
}

/**
 * Writes an image anew into a folder: turned as its EXIF says, in sRGB, without EXIF and everything
 * else that is no pixel, and its renditions (`sizesOf`), of animations their first picture. Nothing of the
 * file is copied, so what was hidden in it is gone. A process makes one image at a time, in a thread
 * beside the event loop, in at most 60 s a step. Throws an ImageError for a broken image, and one of
 * more than `most` pixels.
 */
export function writeImage(
  path: string,
  mimeType: ImageType,
  folder: string,
  most: number,
): Promise<{ readonly image: WrittenImage; readonly sizes: readonly WrittenSize[] }> {
  return turns.take('image', async () => {
    const whole = await write(
      sharp()(path, { ...bounds(most), pages: -1 }).autoOrient(),
      mimeType,
      join(folder, 'image'),
    );
    const sizes: WrittenSize[] = [];
    for (const plan of sizesOf(whole)) {
      const out = join(folder, plan.name);
      sizes.push({
        ...(await write(resized(whole.path, plan, most), mimeType, out)),
        name: plan.name,
      });
    }
    return { image: whole, sizes };
  });
}

const bounds = (most: number) => ({ failOn: 'error', limitInputPixels: most }) as const;

const resized = (path: string, { width, height, isCropped }: SizePlan, most: number) =>
  sharp()(path, bounds(most)).resize(width, height, { fit: isCropped ? 'cover' : 'fill' });

async function write(image: Sharp, type: ImageType, path: string): Promise<WrittenImage> {
  const { width, height, pageHeight } = await decoded(() =>
    FORMATS[type](image.timeout({ seconds: MOST_SECONDS })).toFile(path),
  );
  return { path, width, height: pageHeight ?? height };
}

/** The messages of the library name files and decoders: callers are told less. */
async function decoded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ImageError('The image cannot be read.', { cause: error });
  }
}
