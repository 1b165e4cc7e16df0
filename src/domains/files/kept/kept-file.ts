/** A file of a medium, as it is stored. */
export interface KeptFile {
  /** Names it in the storage. */
  readonly key: string;
  /** Ends its address. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A rendition of an image, as it is stored. */
export interface KeptSize extends KeptFile {
  /** Names the rendition: thumbnail, medium, … */
  readonly size: string;
  readonly width: number;
  readonly height: number;
}

/** What was made of an upload. Width and height are 0 of what is no image. */
export interface KeptFiles {
  readonly original: KeptFile & { readonly width: number; readonly height: number };
  readonly sizes: readonly KeptSize[];
}

/** Returns the path at which a file is read. */
export const filePath = ({ key, name }: Pick<KeptFile, 'key' | 'name'>) => `/files/${key}/${name}`;

/** Most characters of a name before its ending. */
const LONGEST = 80;

/**
 * Returns the name of a file without its ending, of letters, digits and dashes alone: the rest of an
 * uploaded name could mean something in a path or an address.
 */
export function plainFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-|-$/g, '');
  return plain || 'file';
}
