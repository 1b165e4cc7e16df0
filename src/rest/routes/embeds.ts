import type { Route } from '../router.js';

/** How pages are embedded in others (oEmbed 1.0). */
export const embeds: readonly Route[] = [
  { on: 'GET /oembed/1.0/embed', run: 'GetContentEmbed', kept: true },
  { on: 'GET /oembed/1.0/proxy', run: 'GetEmbedPreview' },
];
