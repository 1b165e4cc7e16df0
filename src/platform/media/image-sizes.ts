/** A width and a height in pixels. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** A rendition of an image, before it is made. */
export interface SizePlan extends Pixels {
  readonly name: string;
  /** Whether it shows the middle of the image alone. */
  readonly isCropped: boolean;
}

interface SizeRule {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly isCropped?: boolean;
}

/**
 * The renditions that the original platform makes: the middle of the image in a square, and the
 * whole image within bounds.
 */
const SIZES: readonly SizeRule[] = [
  { name: 'thumbnail', width: 150, height: 150, isCropped: true },
  { name: 'medium', width: 300, height: 300 },
  { name: 'medium_large', width: 768, height: Number.POSITIVE_INFINITY },
  { name: 'large', width: 1024, height: 1024 },
];

/**
 * Returns the renditions of an image, smallest first. There is none that would be as large as the
 * image, give or take a pixel.
 */
export const sizesOf = (image: Pixels): SizePlan[] =>
  SIZES.map((rule) => ({
    name: rule.name,
    isCropped: rule.isCropped ?? false,
    ...(rule.isCropped ? cropped(image, rule) : within(image, rule)),
  }))
    .filter((size) => !isNearly(size, image))
    .sort((a, b) => a.width - b.width);

const cropped = (image: Pixels, { width, height }: SizeRule): Pixels => ({
  width: Math.min(image.width, width),
  height: Math.min(image.height, height),
});

function within(image: Pixels, bounds: SizeRule): Pixels {
  const scale = Math.min(1, bounds.width / image.width, bounds.height / image.height);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: scaled(image.width), height: scaled(image.height) };
}

const isNearly = (one: Pixels, other: Pixels) =>
  Math.abs(one.width - other.width) <= 1 && Math.abs(one.height - other.height) <= 1;
