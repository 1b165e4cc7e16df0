import { isLoopback } from '../platform/identity/address.js';

/** An address outside, to which a page may send its visitor. */
export interface ReturnAddress {
  readonly href: string;
  /** Where it leads, in words for people. */
  readonly place: string;
  /**
   * How a Content-Security-Policy names it: by its scheme, because Chromium holds a form's policy
   * against every redirect that follows, and where the application leads on to is its own affair.
   */
  readonly source: string;
}

const LONGEST = 2_000;
/**
 * Schemes of an application: a reversed domain name, as RFC 8252, section 7.1 asks for, or a plain
 * word that no other program claims.
 */
const APP_SCHEME = /^[a-z][a-z\d]*(?:[.-][a-z\d]+)*:$/;
/**
 * Words that browsers, or the systems beneath them, handle themselves: they run or show what the
 * address holds, read files, open another protocol, dial or write to somebody, pay, install, or
 * choose an application by what stands behind (intent). From the registry of IANA (RFC 7595), and
 * what Chromium, Firefox, Safari, Android, iOS and Windows add.
 */
const TAKEN = new Set(
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
/** Families of such words. */
const TAKEN_FAMILIES = /^(?:ms|moz|chrome|edge|web|x-apple|itms|microsoft|android|intent|view)-/;

/** Hosts as they are: URLs allow more, and people read them. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/;

const isAppScheme = (scheme: string) =>
  APP_SCHEME.test(scheme) && !TAKEN.has(scheme) && !TAKEN_FAMILIES.test(scheme);

/**
 * Reads an address given by an application: https, an app's own scheme, or plain http on this
 * machine. Otherwise why not, in a sentence.
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

/** An address with more parameters behind those that it has. */
export function withParameters(href: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', fragment] = splitOnce(href, '#');
  const added = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${added.join('&')}${fragment === undefined ? '' : `#${fragment}`}`;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
