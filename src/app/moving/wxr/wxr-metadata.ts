import type { StoredSize } from '../../../domains/content/media/media-file.types.js';
import { type PhpValue, phpOf } from '../php.js';

/** What is known of the file of a medium. */
export interface MediumFile {
  readonly mimeType: string;
  readonly sourceUrl: string;
  /** Pixels; 0 when unknown. */
  readonly width: number;
  readonly height: number;
  readonly sizes: readonly StoredSize[];
  /** Of an imported medium: what the original showed of its file. */
  readonly details: Readonly<Record<string, unknown>> | null;
}

type Metadata = Map<string | number, PhpValue>;

/** The order in which the original writes them; what else there is follows. */
const FIRST = ['width', 'height', 'file', 'filesize'];

/**
 * Returns what the original keeps as `_wp_attachment_metadata` of a file with an address. Renditions have
 * no address of their own there: those that do not lie beside the file are left out.
 */
export function metadataOf(
  { mimeType, width, height, sizes, details }: MediumFile,
  address: string,
): Metadata {
  const { sizes: named, ...known } = details ?? {};
  const all: Record<string, unknown> = { ...known };
  if (width > 0) all.width = width;
  if (height > 0) all.height = height;
  const names = [...FIRST, ...Object.keys(all).filter((name) => !FIRST.includes(name))];
  const metadata: Metadata = new Map(
    names.flatMap((name) => (name in all ? [[name, phpOf(all[name])] as const] : [])),
  );
  const renditions = new Map([
    ...besideOf(sizes, address, mimeType),
    ...Object.entries((named ?? {}) as Record<string, Rendition>).map(shownOf),
  ]);
  if (renditions.size > 0) metadata.set('sizes', renditions);
  return metadata;
}

/** A rendition as the original shows it. */
type Rendition = Readonly<Record<string, unknown>> & { readonly mime_type?: unknown };

function shownOf([name, { mime_type: type, ...rest }]: [string, Rendition]): [string, PhpValue] {
  return [name, phpOf({ ...rest, 'mime-type': type ?? '' })];
}

/** Returns the renditions that lie in the folder of the file. */
function besideOf(
  sizes: readonly StoredSize[],
  address: string,
  mimeType: string,
): [string, PhpValue][] {
  const folder = address.slice(0, address.lastIndexOf('/') + 1);
  return sizes.flatMap(({ name, width, height, sourceUrl }): [string, PhpValue][] => {
    const file = sourceUrl.startsWith(folder) ? sourceUrl.slice(folder.length) : '';
    if (!file || file.includes('/')) return [];
    return [[name, phpOf({ file, width, height, 'mime-type': mimeType })]];
  });
}
