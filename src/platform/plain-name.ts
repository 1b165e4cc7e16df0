/** Between letters these make what mail programs show as a link: the dots of IDNA (RFC 5891, section 5.1). */
const DOMAIN = /(?<=[\p{L}\p{N}])[.\u3002](?=\p{L}{2})/gu;
const LINKS = [/:\/\//g, DOMAIN] as const;
/** Breaks of lines, other control characters, and what changes the direction of the text that follows. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** As a reader sees it: one form of each character, without those that take no room. */
const seen = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '');

/**
 * Whether a text can stand as a name in a mail to others: one line, without the address of a web page or a mailbox. "Dr. Weiss" can,
 * "evil.example" and "Dr.Weiss" cannot.
 */
export function isPlainName(text: string): boolean {
  return text.search(CONTROLS) < 0 && LINKS.every((link) => seen(text).search(link) < 0);
}

/** A text made fit to be a name: addresses fall apart, and line breaks become blanks. May be empty. */
export function plainName(text: string): string {
  const line = text.replace(CONTROLS, ' ').trim();
  return isPlainName(line) ? line : LINKS.reduce((name, link) => name.replace(link, ' '), seen(line)).trim();
}

/** Ends of addresses that people click on without a second look. */
const COMMON_ENDS =
  /\.(?:\p{L}{2}|com|net|org|info|biz|name|mobi|pro|app|dev|page|site|website|online|shop|store|link|click|live|club|cloud|space|tech|xyz|top|zip|mov|example)$/iu;

/**
 * What stands before the @ of an address as a name: as it is where dots part the names of a person ("mina.okoro"), otherwise made plain.
 * Mails to others make such names plain as well.
 */
export function nameOfMailbox(localPart: string): string {
  const isAddress = /^www[.\u3002]/iu.test(localPart) || COMMON_ENDS.test(seen(localPart)) || /[\u3002/]/u.test(localPart);
  return isAddress || localPart.search(CONTROLS) >= 0 ? plainName(localPart) : localPart;
}
