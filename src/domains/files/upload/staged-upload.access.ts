import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';

/** Access rule: whoever may make media sends files for them. Refuses others with FORBIDDEN_CREATE. */
export const mayUpload: RootRule = ({ viewer }: RequestContext) =>
  viewer.can('upload_files')
    ? undefined
    : {
        reason: 'FORBIDDEN_CREATE',
        message: 'Sorry, you are not allowed to upload media on this site.',
      };
