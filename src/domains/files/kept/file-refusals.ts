import { type DomainError, refuse } from '../../../core/errors.js';
import { SVG } from '../../../platform/media/file-type.js';

/** Returns the refusal of a file of a type that is not taken, FILE_TYPE_REFUSED. */
export function refuseType(type: string | undefined, param: string): DomainError {
  const message =
    type === SVG
      ? 'SVG images are not taken, because they can hold programs: send a PNG or WebP instead.'
      : 'Files of this type are not taken: send a JPEG, PNG, GIF, WebP, PDF, audio, video or ' +
        'a document of an office program.';
  return refuse('FILE_TYPE_REFUSED', message, { param });
}
