import { foldLatin } from '../../../core/folding.js';
import { MODEL_BOUNDS } from './model.document.js';

/**
 * Names of columns of items and of keys of bodies: no field may have them (docs/behaviour.md 14.6).
 */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'id post_id post_author post_date post_date_gmt post_content post_title post_excerpt ' +
    'post_status post_type post_name post_parent post_modified post_modified_gmt post_password ' +
    'post_mime_type post_content_filtered comment_status comment_count ping_status to_ping ' +
    'pinged guid menu_order attachment attachment_id cat category category_name tag ' +
    'tag_id tag_slug_in taxonomy term terms term_id theme type types user user_id revision ' +
    'post_format _links _embedded'
  ).split(' '),
);

/** Returns whether a name of a field is reserved. */
export const isReservedName = (name: string): boolean => RESERVED.has(name);

/**
 * Returns a name in lower case, without accents and punctuation. `space` stands for spaces. At most
 * 100 characters.
 */
export function cleanName(text: string, space: '-' | '_'): string {
  return foldLatin(text.slice(0, MODEL_BOUNDS.name * 4))
    .toLowerCase()
    .replaceAll(/\s+/g, space)
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replaceAll(/([_-])[_-]*/g, '$1')
    .replaceAll(/^[_-]|[_-]$/g, '')
    .slice(0, MODEL_BOUNDS.name);
}
