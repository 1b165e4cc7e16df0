import { View } from '../../domains/content/content.enums.js';
import type { ItemRow } from '../../domains/content/item/item.row.js';
import { shownTo } from '../../domains/content/item/item.service.js';
import type { Item } from '../../domains/content/item/item.types.js';
import { publishedItemAt } from '../../domains/content/item/item-address.service.js';
import { ITEM_CLASSES } from '../../domains/content/item/item-kinds.types.js';
import { ItemExcerpt } from '../../domains/content/item/item-texts.types.js';
import { EMBEDDED_SCRIPT } from '../../domains/embeds/frame-script.js';
import { titleOf } from '../../domains/embeds/own-embed.service.js';
import { html, Markup } from '../html.js';
import { cacheControl, sendSitePage } from './layout.js';
import type { Visited } from './visited.js';

/** The end of the address of an embeddable page. */
const EMBED = /\/embed\/?$/;

/**
 * Shows a published item of content at its permalink, and its embeddable page at `embed/` below.
 * Other spellings of the address are redirected to it. A protected item asks for its password,
 * which is sent to the same address and not kept.
 */
export async function contentPage(visited: Visited): Promise<boolean> {
  const { context, request, response, address } = visited;
  const embedded = EMBED.test(address.pathname);
  const wanted = new URL(address);
  if (embedded) wanted.pathname = wanted.pathname.replace(EMBED, '/');
  const row = await publishedItemAt(context, wanted.href);
  if (!row) return false;
  const password = passwordIn(request.body);
  const shown = shownTo(context, { as: View.VIEW, ...(password && { password }) });
  const item = new ITEM_CLASSES[row.kind](row, shown);
  const permalink = new URL(embedded ? `${item.link}embed/` : item.link);
  if (permalink.pathname !== address.pathname || address.searchParams.has('p')) {
    response.set('Cache-Control', cacheControl(isOpen(row))).redirect(301, permalink.href);
    return true;
  }
  if (embedded) await sendEmbedded(visited, row, item);
  else await sendWhole(visited, row, item);
  return true;
}

const isOpen = ({ password }: ItemRow) => password === '';

function passwordIn(body: unknown): string | undefined {
  const { password } = (body ?? {}) as { password?: unknown };
  return typeof password === 'string' ? password.slice(0, 255) : undefined;
}

async function sendWhole(visited: Visited, row: ItemRow, item: Item): Promise<void> {
  const { response, site, request } = visited;
  const title = titleOf(item, row);
  const protectedFrom = row.password !== '' && !item.isReadable;
  const wrong = protectedFrom && request.method === 'POST';
  response.set('Link', `<${site.url}/api/>; rel="https://api.w.org/"`);
  sendSitePage(response, {
    status: wrong ? 403 : 200,
    title,
    site,
    head: headOf(visited, item),
    shared: isOpen(row),
    body: html`<main>
<article>
<h1>${new Markup(title)}</h1>
<p class="when"><time datetime="${row.publishedAt.toISOString()}">${item.date.slice(0, 10)}</time></p>
${protectedFrom ? passwordForm(wrong) : new Markup(await item.contentText.rendered)}
</article>
</main>`,
  });
}

const passwordForm = (wrong: boolean) => html`<form method="post">
${wrong && html`<p role="alert">This is not the password.</p>`}
<p><label>Password <input type="password" name="password" required maxlength="255" autocomplete="off"></label>
<button>Show</button></p>
</form>`;

/** Returns how programs find the item: its permalink, its embeds and its record. */
function headOf({ site, context }: Visited, item: Item): Markup {
  const embed = `${context.siteUrl}/api/oembed/1.0/embed?url=${encodeURIComponent(item.link)}`;
  return html`<link rel="canonical" href="${item.link}">
<link rel="https://api.w.org/" href="${site.url}/api/">
<link rel="alternate" type="application/json+oembed" href="${embed}">
<link rel="alternate" type="text/xml+oembed" href="${`${embed}&format=xml`}">`;
}

async function sendEmbedded(visited: Visited, row: ItemRow, item: Item): Promise<void> {
  const { response, site } = visited;
  const title = titleOf(item, row);
  const excerpt = isOpen(row) ? await new ItemExcerpt(item.row, item.shown).rendered : '';
  sendSitePage(response, {
    title,
    site,
    framed: true,
    script: EMBEDDED_SCRIPT,
    head: html`<link rel="canonical" href="${item.link}">`,
    body: html`<main>
<h1><a href="${item.link}" target="_top">${new Markup(title)}</a></h1>
${new Markup(excerpt)}
<p><a href="${site.url}/" target="_top">${site.title}</a></p>
</main>`,
  });
}
