import { escapeHtml } from '../http/html-escape.js';
import type { FoundEmbed } from './oembed.types.js';
import { safeHtml } from './safe-html.js';

const MOST_TEXT = 1000;
const MOST_ADDRESS = 2000;
const MOST_PIXELS = 10_000;

type OembedBody = Readonly<Record<string, unknown>>;

/**
 * Reads what a site answered about a page (oEmbed 1.0, 2.3). Returns undefined when it is no embed:
 * no JSON object, an unknown type, a photo without address, a frame without HTML. What does not
 * fit its field is null.
 */
export function readResponse(
  json: string,
  address: string,
  from: 'listed' | 'discovered',
): FoundEmbed | undefined {
  const response = objectOf(json);
  const content = response && contentOf(response, address, from);
  if (!response || !content?.html) return undefined;
  const thumbnail = addressOf(response.thumbnail_url);
  return {
    ...content,
    title: titleOf(response),
    authorName: textOf(response.author_name),
    authorUrl: addressOf(response.author_url),
    providerName: textOf(response.provider_name),
    providerUrl: addressOf(response.provider_url),
    width: pixelsOf(response.width),
    height: pixelsOf(response.height),
    thumbnailUrl: thumbnail,
    thumbnailWidth: thumbnail === null ? null : pixelsOf(response.thumbnail_width),
    thumbnailHeight: thumbnail === null ? null : pixelsOf(response.thumbnail_height),
  };
}

function objectOf(json: string): OembedBody | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' && read !== null ? (read as OembedBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the HTML by the type: of a photo and a link it is made here. */
function contentOf(
  response: OembedBody,
  address: string,
  from: 'listed' | 'discovered',
): Pick<FoundEmbed, 'type' | 'html' | 'scripts'> | undefined {
  const { type, html, url } = response;
  const title = titleOf(response) ?? '';
  if (type === 'photo') {
    const image = addressOf(url);
    const size = sizeOf(response);
    const shown =
      image &&
      `<a href="${escapeHtml(address)}"><img src="${escapeHtml(image)}" alt="${title}"${size}></a>`;
    return shown ? { type, html: shown, scripts: [] } : undefined;
  }
  if (type === 'link') {
    const shown = title || escapeHtml(address);
    return { type, html: `<a href="${escapeHtml(address)}">${shown}</a>`, scripts: [] };
  }
  if ((type !== 'rich' && type !== 'video') || typeof html !== 'string') return undefined;
  const safe = safeHtml(html, from);
  return { type, html: safe.html, scripts: from === 'listed' ? safe.scripts : [] };
}

function sizeOf({ width, height }: OembedBody): string {
  const [wide, high] = [pixelsOf(width), pixelsOf(height)];
  return wide && high ? ` width="${wide}" height="${high}"` : '';
}

const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MOST_TEXT) : null;

/** A title is plain text. It is shown as HTML. */
function titleOf({ title }: OembedBody): string | null {
  const text = textOf(title);
  return text === null ? null : escapeHtml(text);
}

function addressOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MOST_ADDRESS || !URL.canParse(value)) return null;
  const { protocol, username, password, href } = new URL(value);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !username && !password ? href : null;
}

/** Sites send numbers and texts of digits; others, such as `100%`, are no pixels. */
function pixelsOf(value: unknown): number | null {
  const pixels = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof pixels === 'number' && pixels > 0 && pixels <= MOST_PIXELS
    ? Math.round(pixels)
    : null;
}
