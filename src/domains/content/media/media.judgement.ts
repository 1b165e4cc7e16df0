import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import type { CreateMediaInput } from './media.inputs.js';

const invalid = (param: string, message: string): Refusal => ({
  reason: 'MEDIA_SOURCE_INVALID',
  message,
  param,
});
/** What the file of an upload says itself. */
const OF_FILE = ['url', 'mimeType', 'width', 'height', 'sizes'] as const;

/**
 * Refuses a medium of no file and one of two, and what is said of an upload that its file says, with
 * MEDIA_SOURCE_INVALID for each field.
 */
export function judgeMediaSource(
  _context: RequestContext,
  { input }: { input: CreateMediaInput },
): Refusal[] {
  if (typeof input.uploadId === 'number')
    return OF_FILE.filter((name) => input[name] !== undefined && input[name] !== null).map((name) =>
      invalid(name, 'Of an upload this is what its file says: leave it out.'),
    );
  const missing = (['url', 'mimeType'] as const).filter((name) => !input[name]);
  return missing.map((name) =>
    invalid(name, 'Give the address of the file with its type, or an upload.'),
  );
}
