/** Sites of a frame at most. */
const MOST_SITES = 10;
/** Hosts whose pages have no https, and no others. */
const LOCAL = ['localhost', '127.0.0.1'];
/** A name of a host in full: no star, and no number. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/;

/**
 * Reads the sites that somebody wrote, one a line. Throws a sentence for what is none: a site is https,
 * a host and perhaps a port.
 */
export function originsIn(text: string): readonly string[] {
  const lines = text.split(/[\s,]+/).filter(Boolean);
  const origins = [...new Set(lines.map(originOf))];
  if (origins.length === 0) throw new Error('Name a site, such as https://www.example.org.');
  if (origins.length > MOST_SITES) throw new Error(`At most ${MOST_SITES} sites can show it.`);
  return origins;
}

function originOf(line: string): string {
  const none = `“${line}” is no site. Write it like https://www.example.org.`;
  if (!/^https?:\/\//i.test(line) || !URL.canParse(line)) throw new Error(none);
  const { origin, href, protocol, hostname } = new URL(line);
  if (protocol === 'https:' && !HOST.test(hostname)) throw new Error(none);
  if (protocol === 'http:' && !LOCAL.includes(hostname))
    throw new Error(`“${line}” begins with http. A site that shows reports begins with https.`);
  if (href !== `${origin}/`)
    throw new Error(`“${line}” is a page. Write its site alone: ${origin}.`);
  return origin;
}
