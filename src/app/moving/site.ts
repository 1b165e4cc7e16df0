import { trimmedEnd } from '../../platform/trim.js';
import { isZone } from '../../platform/zone.js';
import type { ContentSource } from './content-source.js';
import type { SourceSite } from './kind.js';
import { unserialize } from './php.js';
import type { Report } from './report.js';

/** The settings of the original's site, with its texts. */
export type Settings = SourceSite & { readonly title: string; readonly tagline: string };

/** Reads the settings of the original's site. An export does not tell its zone: then it is that of this one. */
export async function readSite(
  content: ContentSource,
  report: Report,
  own: { readonly timeZone: string },
): Promise<Settings> {
  const options = await content.settings();
  const remark = (reason: string) =>
    report.remark({ kind: 'site', at: 'options', outcome: 'changed', reason });
  const offset = options.get('gmt_offset');
  const zone =
    options.get('timezone_string') ||
    (offset === undefined ? own.timeZone : offsetZone(Number(offset)));
  if (!isZone(zone)) remark('its time zone is unknown here: UTC is taken');
  const front = options.get('show_on_front');
  const frontPageId = front === 'page' ? Number(options.get('page_on_front') ?? 0) : 0;
  const sticky = unserialize(options.get('sticky_posts') ?? '');
  return {
    home: trimmedEnd(options.get('home') ?? '', '/'),
    title: options.get('blogname') ?? '',
    tagline: options.get('blogdescription') ?? '',
    timeZone: isZone(zone) ? zone : 'UTC',
    defaultCategoryId: Number(options.get('default_category') ?? 0),
    frontPageId: front === undefined ? undefined : frontPageId,
    postsPageId: front === undefined ? undefined : Number(options.get('page_for_posts') ?? 0),
    sticky: new Set(sticky instanceof Map ? [...sticky.values()].map(Number) : []),
  };
}

/** Returns the zone of whole hours ahead of UTC; others have no IANA name. */
function offsetZone(hours: number): string {
  if (hours === 0) return 'UTC';
  return Number.isInteger(hours) ? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` : '';
}
