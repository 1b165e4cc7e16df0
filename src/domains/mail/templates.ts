const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The words of a mail in one language: paragraphs, with {names} where values go. `{site}` is the service's title everywhere. */
export interface Wording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** A kind of mail. After `lifetime` milliseconds it is of no use any more and is not sent. */
interface Template<V extends string = string> {
  readonly lifetime: number;
  readonly values: readonly V[];
  /** By BCP 47 language; English is always there. */
  readonly wordings: { readonly en: Wording; readonly [language: string]: Wording };
}

const template = <V extends string = never>(
  lifetime: number,
  values: readonly V[],
  wordings: Template['wordings'],
): Template<V> => ({ lifetime, values, wordings });

/**
 * Every mail that the service sends. Mails lie in mailboxes that others read: they name no medicine, no appointment and nothing else
 * of somebody's health, and bear no links that could be imitated.
 */
export const TEMPLATES = {
  password_reset: template(10 * MINUTE, ['code', 'expires'], {
    en: {
      subject: 'Your password reset code',
      paragraphs: [
        'Somebody asked to reset the password of your account at {site}. If that was you, this is your code:',
        '{code}',
        'It works once, until {expires}. Nobody from {site} will ever ask you for it.',
        'If that was not you, do nothing: your password stays as it is.',
      ],
    },
    de: {
      subject: 'Ihr Code zum Zurücksetzen des Passworts',
      paragraphs: [
        'Jemand möchte das Passwort Ihres Kontos bei {site} zurücksetzen. Wenn Sie das sind, ist dies Ihr Code:',
        '{code}',
        'Er gilt einmal, bis {expires}. Niemand von {site} wird Sie je danach fragen.',
        'Wenn Sie das nicht sind, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
      ],
    },
  }),
  password_changed: template(7 * DAY, [], {
    en: {
      subject: 'Your password was changed',
      paragraphs: [
        'The password of your account at {site} was changed, and you were signed out everywhere.',
        'If that was not you, reset your password now and tell us.',
      ],
    },
    de: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'Das Passwort Ihres Kontos bei {site} wurde geändert, und Sie wurden überall abgemeldet.',
        'Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück und sagen Sie uns Bescheid.',
      ],
    },
  }),
  sign_in_code: template(10 * MINUTE, ['code'], {
    en: {
      subject: 'Your sign-in code',
      paragraphs: [
        'This is your code to sign in at {site}:',
        '{code}',
        'It works once and for a few minutes. Nobody from {site} will ever ask you for it.',
        'If you did not try to sign in, do nothing.',
      ],
    },
    de: {
      subject: 'Ihr Code zum Anmelden',
      paragraphs: [
        'Dies ist Ihr Code, um sich bei {site} anzumelden:',
        '{code}',
        'Er gilt einmal und nur wenige Minuten. Niemand von {site} wird Sie je danach fragen.',
        'Wenn Sie sich nicht anmelden wollten, müssen Sie nichts tun.',
      ],
    },
  }),
  device_lost: template(2 * DAY, [], {
    en: {
      subject: 'Reminders no longer reach you',
      paragraphs: [
        'Your last device stopped receiving reminders from {site}.',
        'Open the app and sign in on the device that should receive them.',
      ],
    },
    de: {
      subject: 'Erinnerungen erreichen Sie nicht mehr',
      paragraphs: [
        'Ihr letztes Gerät empfängt keine Erinnerungen von {site} mehr.',
        'Öffnen Sie die App und melden Sie sich auf dem Gerät an, das sie empfangen soll.',
      ],
    },
  }),
  break_glass: template(30 * DAY, ['clinician', 'reason'], {
    en: {
      subject: 'Your record was opened',
      paragraphs: [
        '{clinician}, who is not assigned to you, opened your record at {site}. The reason given:',
        '{reason}',
        'This was recorded. If it surprises you, ask your clinic.',
      ],
    },
    de: {
      subject: 'Ihre Akte wurde geöffnet',
      paragraphs: [
        '{clinician} ist Ihnen nicht zugeordnet und hat Ihre Akte bei {site} geöffnet. Der angegebene Grund:',
        '{reason}',
        'Das wurde festgehalten. Wenn es Sie überrascht, fragen Sie Ihre Klinik.',
      ],
    },
  }),
  care_invitation: template(7 * DAY, ['inviter'], {
    en: {
      subject: 'An invitation to care',
      paragraphs: [
        '{inviter} invites you to take part in their care at {site}.',
        'Open the app and sign in with this e-mail address to accept or to decline. Either of you can end it at any time.',
      ],
    },
    de: {
      subject: 'Eine Einladung zur Betreuung',
      paragraphs: [
        '{inviter} lädt Sie ein, sich bei {site} an der Betreuung zu beteiligen.',
        'Öffnen Sie die App und melden Sie sich mit dieser E-Mail-Adresse an, um anzunehmen oder abzulehnen. Beide können es jederzeit beenden.',
      ],
    },
  }),
  push_token_removed: template(2 * DAY, [], {
    en: {
      subject: 'A device was switched off',
      paragraphs: [
        'Somebody asked that one of your devices no longer receives reminders from {site}, without signing in.',
        'If that was you, do nothing. If not, open the app on that device: it receives them again as soon as you are signed in.',
      ],
    },
    de: {
      subject: 'Ein Gerät wurde abgeschaltet',
      paragraphs: [
        'Jemand hat, ohne sich anzumelden, verlangt, dass eines Ihrer Geräte keine Erinnerungen von {site} mehr empfängt.',
        'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, öffnen Sie die App auf dem Gerät: Sobald Sie angemeldet sind, empfängt es sie wieder.',
      ],
    },
  }),
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;
/** What the text of a template names. */
export type TemplateValues<T extends TemplateName> = Readonly<Record<(typeof TEMPLATES)[T]['values'][number], string>>;

/** A template by its name, as rows hold it; undefined for one that is no more. */
export function templateOf(name: string): Template | undefined {
  return Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name as TemplateName] : undefined;
}
