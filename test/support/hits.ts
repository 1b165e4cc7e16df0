import type { Browser } from 'playwright-core';

const DASHBOARD = 'https://dashboard.example/';
/** How many are tried at a time, each in documents of its own. */
const AT_ONCE = 25;

/** What others' sites may be asked for by what is shown: pictures, players with captions, frames. */
const SHOWN = new Set(['image', 'media', 'texttrack', 'document']);

/**
 * Puts HTML into pages in every way that pages do: as content of an element, twice, since a second
 * tree may be another one; beside an element; with its shadow roots; as a document of its own,
 * written and as `srcdoc`, without the policy that it came with. Returns, for each, how often
 * something ran, leads to a script, takes the name of a part of the document, or loads by itself
 * what is no page of `own` nor of https. Nothing reaches a network; whoever asks it for a script, a
 * style or a font makes this throw.
 */
export async function hitsOf(
  browser: Browser,
  htmls: readonly string[],
  own = DASHBOARD,
): Promise<number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await context.route(DASHBOARD, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Dashboard</title>' }),
  );
  await page.goto(DASHBOARD);
  await context.unrouteAll();
  await context.setOffline(true);
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^http/.test(protocol) && host !== new URL(own).host && !SHOWN.has(request.resourceType()))
      foreign.push(`${request.resourceType()} ${request.url()}`);
  });
  const hits: number[] = [];
  for (let at = 0; at < htmls.length; at += AT_ONCE)
    hits.push(...(await page.evaluate(tried, { htmls: htmls.slice(at, at + AT_ONCE), own })));
  await context.close();
  if (foreign.length > 0) throw new Error(`Asked for: ${foreign.join(', ')}`);
  return hits;
}

/** Runs in the page. Over 40 lines, since what runs there can call nothing outside of itself. */
async function tried({ htmls, own }: { htmls: readonly string[]; own: string }): Promise<number[]> {
  const ADDRESSES = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'poster', 'cite'];
  const leads = (root: ParentNode): number => {
    let found = root.querySelectorAll('meta[http-equiv=refresh i], base, object, embed').length;
    for (const element of root.querySelectorAll('*'))
      for (const name of ADDRESSES) {
        const address = element.getAttribute(name);
        if (address === null || !URL.canParse(address, own)) continue;
        if (/^(javascript|vbscript|data|blob):$/.test(new URL(address, own).protocol)) found++;
      }
    for (const frame of root.querySelectorAll('iframe'))
      if (frame.srcdoc || !(/^https:/.test(frame.src) || frame.src.startsWith(own))) found++;
    return found;
  };
  const touch = (root: ParentNode): void => {
    for (const one of root.querySelectorAll('a, summary, [autofocus], [tabindex]')) {
      if (!(one instanceof (one.ownerDocument.defaultView as typeof window).HTMLElement)) continue;
      one.focus();
      one.addEventListener('click', (event) => event.preventDefault(), { once: true });
      one.click();
    }
  };
  const framed = (): { frame: HTMLIFrameElement; inner: Document } => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return { frame, inner: frame.contentDocument as Document };
  };
  const taken = (inner: Document): number =>
    Object.getOwnPropertyNames(inner).filter((name) => name in Document.prototype).length;
  const all = htmls.map((html) => {
    const [part, whole, listed] = [framed(), framed(), document.createElement('iframe')];
    listed.srcdoc = html;
    document.body.append(listed);
    const [place, beside, rooted] = ['div', 'p', 'div'].map((name) =>
      part.inner.body.appendChild(part.inner.createElement(name)),
    ) as [HTMLElement, HTMLElement, HTMLElement];
    place.innerHTML = html;
    const again = place.innerHTML;
    place.innerHTML = again;
    beside.insertAdjacentHTML('afterend', html);
    (rooted as { setHTMLUnsafe?: (text: string) => void }).setHTMLUnsafe?.(html);
    whole.inner.open();
    whole.inner.write(/^\s*<!doctype html>/i.test(html) ? html : `<!doctype html><body>${html}`);
    whole.inner.close();
    const found = leads(part.inner) + leads(whole.inner) + taken(part.inner) + taken(whole.inner);
    for (const { inner } of [part, whole]) touch(inner);
    return { frames: [part.frame, whole.frame, listed], found };
  });
  await new Promise((resolve) => setTimeout(resolve, 60));
  return all.map(({ frames, found }) => {
    const ran = frames.map(({ contentWindow }) => (contentWindow as { hit?: number } | null)?.hit);
    for (const frame of frames) frame.remove();
    return ran.reduce<number>((sum, hit) => sum + (hit ?? 0), found);
  });
}
