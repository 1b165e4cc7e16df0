import type { Answer, Harness } from './harness.js';

/**
 * The HTTP part of a browser: keeps cookies by path and submits forms. It does not follow
 * redirects.
 */
export class Visitor {
  readonly cookies = new Map<string, { value: string; path: string; attributes: string }>();

  constructor(private readonly service: Harness) {}

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#fetch(path, { headers });
  }

  /** Submits the form of a page: its hidden fields, changed by these. */
  async submit(
    page: Answer,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1];
    if (!action) throw new Error(`There is no form: ${page.status} ${page.text.slice(0, 300)}`);
    const form = page.text.slice(page.text.indexOf('<form'), page.text.indexOf('</form>'));
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, plain(value)] as const,
    );
    return this.post(action, { ...Object.fromEntries(hidden), ...fields }, headers);
  }

  async post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.#fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async #fetch(
    path: string,
    init: { method?: string; body?: URLSearchParams; headers: Record<string, string> },
  ): Promise<Answer> {
    const sent = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const answer = await this.service.fetch(path, {
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*);(.*)$/.exec(set) ?? [];
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else
        this.cookies.set(name, {
          value,
          attributes,
          path: /Path=([^;]+)/.exec(attributes)?.[1] ?? '/',
        });
    }
    return answer;
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Decodes the entities of an HTML text: decimal ones, and those that escaping writes. */
export const plain = (text: string) =>
  text.replace(/&#(\d+);|&(amp|lt|gt|quot);/g, (_, code?: string, name = '') =>
    code ? String.fromCharCode(Number(code)) : (NAMED[name] as string),
  );
