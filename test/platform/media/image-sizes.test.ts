import { sizesOf } from '../../../src/platform/media/image-sizes.js';

describe('The sizes of an image', () => {
  const named = (width: number, height: number) =>
    sizesOf({ width, height }).map((size) => `${size.name} ${size.width}x${size.height}`);

  it.each([
    [1200, 800, ['thumbnail 150x150', 'medium 300x200', 'medium_large 768x512', 'large 1024x683']],
    [2700, 300, ['thumbnail 150x150', 'medium 300x33', 'medium_large 768x85', 'large 1024x114']],
    [400, 1600, ['medium 75x300', 'thumbnail 150x150', 'large 256x1024']],
    [768, 269, ['thumbnail 150x150', 'medium 300x105']],
    [600, 60, ['thumbnail 150x60', 'medium 300x30']],
    [128, 500, ['medium 77x300', 'thumbnail 128x150']],
    [151, 150, []],
    [150, 150, []],
    [1, 1, []],
    [100_000, 1, ['thumbnail 150x1', 'medium 300x1', 'medium_large 768x1', 'large 1024x1']],
  ])('of %i by %i pixels are those that the original platform makes', (width, height, sizes) => {
    expect(named(width, height)).toStrictEqual(sizes);
  });
});
