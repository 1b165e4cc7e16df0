import { originsIn } from '../../playground/saved/origins.js';
import { FrameOrigin } from '../../src/core/scalars.js';

/** Parts of what somebody may write as a site. */
const PARTS = {
  protocol: ['', 'https://', 'http://', 'ftp://', 'HTTPS://'],
  host: ['', 'clinic.example', 'localhost', '127.0.0.1', '*.example', 'clínica.example', '[::1]'],
  port: ['', ':8443', ':99999'],
  path: ['', '/', '/page', '?a=1', '#a'],
};
const SITES = PARTS.protocol.flatMap((protocol) =>
  PARTS.host.flatMap((host) =>
    PARTS.port.flatMap((port) => PARTS.path.map((path) => protocol + host + port + path)),
  ),
);

/** Returns what something returns, or undefined when it throws. */
function found<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

describe('The sites of a frame, as somebody writes them', () => {
  it.each(SITES.filter(Boolean))('are those that the service takes: %s', (site) => {
    const taken = found(() => FrameOrigin.parseValue(site));
    expect(found(() => originsIn(site))).toStrictEqual(taken && [taken]);
  });

  it('stand one a line, and are ten at most', () => {
    expect(originsIn('https://a.example\n\nhttps://b.example, https://a.example/')).toStrictEqual([
      'https://a.example',
      'https://b.example',
    ]);
    const many = Array.from({ length: 11 }, (_, index) => `https://a${index}.example`);
    expect(() => originsIn(many.join(' '))).toThrow('At most 10 sites can show it.');
    expect(() => originsIn(' ')).toThrow('Name a site, such as https://www.example.org.');
  });
});
