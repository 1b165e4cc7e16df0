import { open } from 'node:fs/promises';

/** The media types of files that are taken, with the ending of their names. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
};
/** Other names of these types. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/apng': 'image/png',
  'audio/mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
};
export const SVG = 'image/svg+xml';
/** How much of a file is looked at for an SVG, which has no signature. In bytes. */
const BEGINNING = 4096;

const nameOf = (type: string) => ALIASES[type] ?? type;

/** Returns whether files of a media type are taken, whatever they contain. */
export const isTaken = (mimeType: string): boolean => Object.hasOwn(ENDINGS, nameOf(mimeType));

/** Returns how names of files of a type end, without a dot. */
export const endingOf = (mimeType: string): string => ENDINGS[mimeType] ?? 'bin';

/**
 * Returns the media type of a file by its content; that of SVG also where it is none, but would be
 * shown as one. Undefined for what has no signature that is known. The type need not be taken.
 */
export async function typeOfFile(path: string): Promise<string | undefined> {
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path);
  const type = found && nameOf(found.mime.replace(/;.*/, ''));
  // Two bytes make an audio file, and may begin a text in UTF-16.
  const isCertain = type !== undefined && isTaken(type) && !type.startsWith('audio/');
  return !isCertain && /<svg[\s>]/i.test(await beginningOf(path)) ? SVG : type;
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    return buffer.toString('latin1', 0, bytesRead).replaceAll('\0', '');
  } finally {
    await file.close();
  }
}
