import type { Browser } from 'playwright-core';

const DASHBOARD = 'https://dashboard.example/';
/** How many are tried at a time, each in documents of its own; and read, in documents that are dead. */
const AT_ONCE = { tried: 25, read: 500 };

/** What others' sites may be asked for by what is shown: pictures, players with captions, frames. */
const SHOWN = new Set(['image', 'media', 'texttrack', 'document']);

/** What a browser makes of HTML. */
export interface Trial {
  /** How often something happened, for each HTML: see `hitsOf`. */
  readonly hits: readonly number[];
  /** Whether it was seen to hold nothing that could happen, for each; then it was not tried. */
  readonly idle: readonly boolean[];
}

interface Options {
  /** The address of the pages that may be loaded. Default: that of a dashboard. */
  readonly own?: string;
  /** HTML that runs nothing: what has no other active parts than one of these runs nothing either. */
  readonly harmless?: readonly string[];
  /** Whether to try also what is seen to be idle. Default: no. */
  readonly all?: boolean;
}

/**
 * Puts HTML into pages in every way that pages do: as content of an element, twice, since a second
 * tree may be another one; beside an element; with its shadow roots; as a document of its own,
 * written and as `srcdoc`, without the policy that it came with. Returns, for each, how often
 * something ran, leads to a script, takes the name of a part of the document, or loads by itself
 * what is no page of `own` nor of https. Nothing reaches a network; whoever asks it for a script, a
 * style or a font makes this throw.
 *
 * All are read in documents that run nothing, which is quick, in every of these ways. Those whose
 * trees have an active part there, which no tree of `harmless` has, are then tried in documents of
 * their own. What is harmless is tried too, and throws when something happens.
 */
export async function trialOf(
  browser: Browser,
  htmls: readonly string[],
  { own = DASHBOARD, harmless = [], all = false }: Options = {},
): Promise<Trial> {
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
  const inParts = async <T>(
    run: (given: { htmls: readonly string[]; own: string }) => T[] | Promise<T[]>,
    given: readonly string[],
    size: number,
  ): Promise<T[]> => {
    const answers: T[] = [];
    for (let at = 0; at < given.length; at += size)
      answers.push(...(await page.evaluate(run, { htmls: given.slice(at, at + size), own })));
    return answers;
  };
  const known = new Set(await inParts(activeParts, ['', ...harmless], AT_ONCE.read));
  const parts = await inParts(activeParts, htmls, AT_ONCE.read);
  const idle = parts.map((one) => known.has(one));
  const trying = htmls.filter((_, i) => all || !idle[i]);
  const found = await inParts(tried, [...harmless, ...trying], AT_ONCE.tried);
  await context.close();
  if (foreign.length > 0) throw new Error(`Asked for: ${foreign.join(', ')}`);
  if (found.splice(0, harmless.length).some((hit) => hit > 0))
    throw new Error('What is harmless is not.');
  const hits = idle.map((isIdle) => (isIdle && !all ? 0 : (found.shift() ?? 0)));
  return { hits, idle };
}

/** Returns the hits of `trialOf`. */
export const hitsOf = async (browser: Browser, htmls: readonly string[], options?: Options) =>
  (await trialOf(browser, htmls, options)).hits;

/**
 * Runs in the page. Returns what each HTML holds that could run, load or lead somewhere, or that
 * takes a name, as text, of each way to make a tree of it. Over 40 lines, as `tried`.
 */
function activeParts({ htmls, own }: { htmls: readonly string[]; own: string }): string[] {
  const PASSIVE = new Set(
    (
      'html head body a abbr address article aside b bdi bdo big blockquote br button caption center cite code ' +
      'col colgroup data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header ' +
      'hgroup hr i img ins kbd label legend li main mark menu nav ol p pre q rp rt ruby s samp section small ' +
      'span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
    ).split(' '),
  );
  const PLAIN = new Set(
    (
      'class title alt lang dir width height colspan rowspan scope datetime rel type value start reversed ' +
      'open align valign border cellpadding cellspacing hidden loading srcset sizes role abbr headers span ' +
      'disabled autocomplete placeholder maxlength tabindex target controls decoding color face size'
    ).split(' '),
  );
  const ADDRESSES = new Set(['href', 'src', 'cite', 'poster', 'longdesc']);
  const PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:']);
  const isPlain = (element: Element, { name, value }: Attr): boolean => {
    if (ADDRESSES.has(name))
      return !URL.canParse(value, own) || PROTOCOLS.has(new URL(value, own).protocol);
    if (name === 'id') return !['img', 'form'].includes(element.localName);
    return PLAIN.has(name) || /^(?:data|aria)-/.test(name);
  };
  const partsOf = (root: ParentNode): string[] =>
    [...root.querySelectorAll('*')].flatMap((element) => {
      const { localName, namespaceURI, shadowRoot } = element;
      const inner =
        localName === 'template' ? (element as HTMLTemplateElement).content : shadowRoot;
      const within = inner ? ['(', ...partsOf(inner), ')'] : [];
      const active = [...element.attributes].filter((one) => !isPlain(element, one));
      const isKnown = namespaceURI === 'http://www.w3.org/1999/xhtml' && PASSIVE.has(localName);
      if (isKnown && active.length === 0) return within;
      const names = [...element.attributes].map((one) => one.name).sort();
      const values = active.map(({ name, value }) => `${name}=${value}`).sort();
      const text = /^(?:script|style)$/.test(localName) ? element.textContent : '';
      return [`${namespaceURI} ${localName} ${names} ${values} ${text}`, ...within];
    });
  return htmls.map((html) => {
    const dead = document.implementation.createHTMLDocument('');
    const [place, again, rooted] = ['div', 'div', 'div'].map((name) =>
      dead.body.appendChild(dead.createElement(name)),
    ) as [HTMLElement, HTMLElement, HTMLElement];
    place.innerHTML = html;
    again.innerHTML = place.innerHTML;
    (rooted as { setHTMLUnsafe?: (text: string) => void }).setHTMLUnsafe?.(html);
    const side = document.implementation.createHTMLDocument('');
    const beside = side.body.appendChild(side.createElement('p'));
    beside.insertAdjacentHTML('afterend', html);
    const text = /^\s*<!doctype html>/i.test(html) ? html : `<!doctype html><body>${html}`;
    const whole = [text, html].map((one) => new DOMParser().parseFromString(one, 'text/html'));
    return JSON.stringify([place, again, rooted, side.body, ...whole].map((root) => partsOf(root)));
  });
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
