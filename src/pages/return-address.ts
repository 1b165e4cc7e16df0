import { isLoopback } from '../platform/loopback.js';

/** An external address to which a page may send its visitor. */
export interface ReturnAddress {
  readonly href: string;
  /** Its destination, in words for people. */
  readonly place: string;
  /**
   * The source for a Content-Security-Policy: only the scheme. Chromium applies a form's policy to
   * every later redirect, and an application may redirect to other hosts.
   */
  readonly source: string;
}

const LONGEST = 2_000;
/**
 * Schemes of applications: a reversed domain name (RFC 8252, section 7.1), or one word that is not
 * in RESERVED.
 */
const APP_SCHEME = /^[a-z][a-z\d]*(?:[.-][a-z\d]+)*:$/;
/**
 * Schemes that browsers or operating systems handle themselves: they run or show the content of the
 * address, read files, open another protocol, call or write to a person, pay, install, or choose an
 * application by the rest of the address (intent). From IANA's registry (RFC 7595), and from what
 * Chromium, Firefox, Safari, Android, iOS and Windows add.
 */
const RESERVED = new Set(
  `about acap afp aim android-app app-prefs apt attachment bitcoin blob brave callto cap chrome chrome-devtools chrome-extension chrome-search
  chrome-untrusted cid cifs coap coaps content crid dav data devtools dict dns edge ethereum facetime facetime-audio feed file filesystem firefox
  finger fish ftp ftps geo git go googlechrome googlechromes gopher h323 http https iax icap icon im imap imaps imessage info intent invoke ipp ipps
  irc irc6 ircs itms itms-apps itms-appss itms-services itmss itpc jabber jar javascript ldap ldaps livescript lightning magnet mailto maps market
  mid mms mmst mmsu mocha monero moz-extension ms-appinstaller ms-excel ms-help ms-its ms-officecmd ms-powerpoint ms-search ms-settings
  ms-word msteams mumble mvn news nfs nntp opaquelocktoken openpgp4fpr opera pkcs11 pop prefs pres resource res rsync rtmp rtsp rtsps rtspu
  safari-extension search search-ms secondlife service sftp shell shortcuts shttp sip sips skype smb sms smsto snews snmp soap spotify ssh
  steam stun stuns svn tag teams tel telnet telprompt tftp tip turn turns tv udp upi urn vbscript ventrilo view-source vnc vnd.youtube wais webcal wpid ws wss wtai
  wyciwyg x-apple-helpbasic x-man-page x-apple.systempreferences x-safari-http x-safari-https xmlrpc.beep xmlrpc.beeps xmpp xri ymsgr z39.50r z39.50s`
    .split(/\s+/)
    .map((scheme) => `${scheme}:`),
);
/** Prefixes of such schemes. */
const RESERVED_PREFIXES = /^(?:ms|moz|chrome|edge|web|x-apple|itms|microsoft|android|intent|view)-/;

/** Host names in plain form. URLs allow more, but people read these. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/;

const isAppScheme = (scheme: string) =>
  APP_SCHEME.test(scheme) && !RESERVED.has(scheme) && !RESERVED_PREFIXES.test(scheme);

/**
 * Reads an address that an application gave: https, an app's own scheme, or http on this machine.
 * Returns a sentence for any other address.
 */
export function readReturnAddress(text: string): ReturnAddress | string {
  if (text.length > LONGEST || !URL.canParse(text)) return 'Invalid URL format.';
  const { href, protocol, hostname, host } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb && !isAppScheme(protocol)) return 'Invalid URL format.';
  if (!isWeb)
    return { href, place: `the app for ${protocol} addresses on your device`, source: protocol };
  if (!HOST.test(host)) return 'Invalid URL format.';
  if (protocol === 'http:' && !isLoopback(hostname))
    return 'The URL must be served over a secure connection.';
  return { href, place: protocol === 'https:' ? host : `${host} on your device`, source: protocol };
}

/** Returns an address with further parameters after its existing ones. */
export function withParameters(href: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', fragment] = splitOnce(href, '#');
  const added = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${added.join('&')}${fragment === undefined ? '' : `#${fragment}`}`;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
