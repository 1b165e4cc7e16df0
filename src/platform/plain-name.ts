/**
 * Between letters these make what mail programs show as a link: the dots of IDNA (RFC 5891, section
 * 5.1).
 */
const DOMAIN = /(?<=[\p{L}\p{N}])[.\u3002](?=\p{L}{2})/gu;
const LINKS = [/:\/\//g, DOMAIN, /(?<=\bwww)[.\u3002](?=\S)/giu] as const;
/**
 * Breaks of lines, other control characters, and what changes the direction of the text that
 * follows.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** As a reader sees it: one form of each character, without those that take no room. */
const seen = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '');

/** Ends of addresses that people click on without a second look. */
const COMMON_END = new RegExp(
  '\\.(?:com|net|org|info|biz|name|mobi|pro|app|dev|page|site|website|online|shop|store|link|' +
    'click|live|club|cloud|space|tech|xyz|top|zip|mov|example)$',
  'iu',
);
/** Ends that are countries, or short names. */
const SHORT_END = /\.\p{L}{2}$/u;

const TITLES =
  'Mr|Mrs|Ms|Mx|St|Sr|Jr|Fr|Hr|[Dd]r|[Pp]rof|[Ii]ng|[Dd]ipl|[Mm]ed|[Pp]h|[Pp]hil|[Mm]ag';
const TITLE = `(?:${TITLES})`;
const SURNAME = "\\p{Lu}[\\p{L}'’-]+";
const TITLED = new RegExp(`^${TITLE}\\.(?:(?:${TITLE}|\\p{Lu})\\.)*${SURNAME}$`, 'u');
const INITIALS = new RegExp(`^(?:\\p{Lu}\\.)+${SURNAME}$`, 'u');

/** Whether the dots of a word follow titles, or initials: "Dr.Weiss", "J.Smith". "T.Co" is none. */
function isDottedName(word: string): boolean {
  const name = word.replace(/^\(|[,;)]$/g, '');
  if (COMMON_END.test(name)) return false;
  return TITLED.test(name) || (INITIALS.test(name) && !SHORT_END.test(name));
}

const takenApart = (word: string) => LINKS.reduce((apart, link) => apart.replace(link, ' '), word);

/** The text with every address of a web page taken apart, word by word. */
const withoutLinks = (text: string) =>
  text.replace(/\S+/gu, (word) => (isDottedName(word) ? word : takenApart(word)));

/**
 * Whether a text can stand as a name in a mail to others: one line, without the address of a web
 * page or a mailbox. "Dr. Weiss", "Dr.Weiss" and "J.R.R.Tolkien" can; "evil.example" cannot. After
 * a dot without a blank a title or initials must stand before it and a capital letter behind it.
 */
export function isPlainName(text: string): boolean {
  return text.search(CONTROLS) < 0 && withoutLinks(seen(text)) === seen(text);
}

/**
 * A text made fit to be a name: addresses fall apart, and line breaks become blanks. May be empty.
 */
export function plainName(text: string): string {
  const line = text.replace(CONTROLS, ' ').trim();
  return isPlainName(line) ? line : withoutLinks(seen(line)).trim();
}

/**
 * What stands before the @ of an address as a name: as it is where dots part the names of a person
 * ("mina.okoro"), otherwise made plain. Mails to others make such names plain as well.
 */
export function nameOfMailbox(localPart: string): string {
  const isAddress =
    [COMMON_END, SHORT_END].some((end) => end.test(seen(localPart))) ||
    /^www[.\u3002]|[\u3002/]/iu.test(localPart);
  return isAddress || localPart.search(CONTROLS) >= 0 ? plainName(localPart) : localPart;
}
