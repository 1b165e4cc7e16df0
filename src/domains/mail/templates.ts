import { REPORT_TEMPLATES } from './report-templates.js';
import { DAY, MINUTE, type Template, template } from './template.js';

export type { Wording } from './template.js';

/**
 * All mails that the service sends. Other people may read a mailbox. So mails name no medicine,
 * appointment or other health data. Only those of reports contain links, which could be imitated:
 * staff get them, who sign in there.
 */
export const TEMPLATES = {
  password_reset: template(10 * MINUTE, ['code', 'expires'], {
    en: {
      subject: 'Your password reset code',
      paragraphs: [
        'Somebody asked to reset the password of your account at {site}. If that was you, this ' +
          'is your code:',
        '{code}',
        'It works once, until {expires}. Nobody from {site} will ever ask you for it.',
        'If that was not you, do nothing: your password stays as it is.',
      ],
    },
    de: {
      subject: 'Ihr Code zum Zurücksetzen des Passworts',
      paragraphs: [
        'Jemand möchte das Passwort Ihres Kontos bei {site} zurücksetzen. Wenn Sie das sind, ' +
          'ist dies Ihr Code:',
        '{code}',
        'Er gilt einmal, bis {expires}. Niemand von {site} wird Sie je danach fragen.',
        'Wenn Sie das nicht sind, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
      ],
    },
  }),
  password_changed: template(7 * DAY, ['name'], {
    en: {
      subject: 'Your password was changed',
      paragraphs: [
        'The password of {name} at {site} was changed, and other devices were signed out.',
        'If that was not you, reset your password now and tell us.',
      ],
    },
    de: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'Das Passwort von {name} bei {site} wurde geändert, und andere Geräte wurden abgemeldet.',
        'Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück und sagen Sie uns ' +
          'Bescheid.',
      ],
    },
  }),
  sign_in_code: template(10 * MINUTE, ['name', 'code'], {
    en: {
      subject: 'Your sign-in code',
      paragraphs: [
        'This is the code for {name} to sign in at {site}:',
        '{code}',
        'It works once, until {end|time}. Nobody from {site} will ever ask you for it.',
        'If you did not try to sign in, do nothing.',
      ],
    },
    de: {
      subject: 'Ihr Code zum Anmelden',
      paragraphs: [
        'Dies ist der Code für {name} zum Anmelden bei {site}:',
        '{code}',
        'Er gilt einmal, bis {end|time}. Niemand von {site} wird Sie je danach fragen.',
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
  // The mail does not contain the reason, which may tell about the member's health.
  break_glass: template(30 * DAY, ['name', 'at'], {
    en: {
      subject: 'Your record was opened',
      paragraphs: [
        '{name}, who is not assigned to you, opened your record at {site} on {at|time} and had ' +
          'to give a reason.',
        'This was recorded, with the reason. If it surprises you, ask your clinic.',
      ],
    },
    de: {
      subject: 'Ihre Akte wurde geöffnet',
      paragraphs: [
        '{name} ist Ihnen nicht zugeordnet und hat am {at|time} Ihre Akte bei {site} geöffnet. ' +
          'Dafür war ein Grund anzugeben.',
        'Das wurde mit dem Grund festgehalten. Wenn es Sie überrascht, fragen Sie Ihre Klinik.',
      ],
    },
  }),
  break_glass_alarm: template(7 * DAY, ['name', 'count', 'at'], {
    en: {
      subject: 'Many records were opened',
      paragraphs: [
        '{name} opened {count} records at {site} within a day, of people who are not assigned ' +
          'to them; last on {at|time}.',
        'Look at the reasons in the audit, and ask {name}. Assign the people who are theirs, ' +
          'or take the role away.',
      ],
    },
    de: {
      subject: 'Viele Akten wurden geöffnet',
      paragraphs: [
        '{name} hat bei {site} innerhalb eines Tages {count} Akten von Personen geöffnet, die ' +
          'nicht zugeordnet sind; zuletzt am {at|time}.',
        'Sehen Sie sich im Protokoll die Gründe an und fragen Sie {name}. Ordnen Sie zu, wer ' +
          'zuzuordnen ist, oder entziehen Sie die Rolle.',
      ],
    },
  }),
  address_changed: template(30 * DAY, ['name', 'at'], {
    en: {
      subject: 'The address of your account was changed',
      paragraphs: [
        'An administrator of {site} changed the e-mail address of the account of {name} on ' +
          '{at|time}. Mails go to the new address from now on.',
        'If you did not ask for this, tell those who run {site}.',
      ],
    },
    de: {
      subject: 'Die Adresse Ihres Kontos wurde geändert',
      paragraphs: [
        'Wer {site} verwaltet, hat am {at|time} die E-Mail-Adresse des Kontos von {name} ' +
          'geändert. Nachrichten gehen von nun an an die neue Adresse.',
        'Wenn Sie nicht darum gebeten haben, melden Sie sich bei {site}.',
      ],
    },
  }),
  account_deleted: template(30 * DAY, ['name', 'at'], {
    en: {
      subject: 'Your account was deleted',
      paragraphs: [
        'An administrator of {site} deleted the account of {name} on {at|time}, with its ' +
          'reminders and all other personal data. Nothing will remind you any more.',
        'If you do not know why, ask those who run {site}.',
      ],
    },
    de: {
      subject: 'Ihr Konto wurde gelöscht',
      paragraphs: [
        'Wer {site} verwaltet, hat am {at|time} das Konto von {name} gelöscht, mit den ' +
          'Erinnerungen und allen anderen persönlichen Daten. Nichts erinnert Sie mehr.',
        'Wenn Sie nicht wissen, warum, fragen Sie bei {site} nach.',
      ],
    },
  }),
  account_suspended: template(30 * DAY, ['name', 'at'], {
    en: {
      subject: 'Your account was suspended',
      paragraphs: [
        'The account of {name} at {site} was suspended on {at|time}. Nobody can sign in to it now.',
        'Reminders go on as they are, but you cannot change or answer them.',
        'If you do not know why, ask those who run {site}.',
      ],
    },
    de: {
      subject: 'Ihr Konto wurde gesperrt',
      paragraphs: [
        'Das Konto von {name} bei {site} wurde am {at|time} gesperrt. Niemand kann sich jetzt ' +
          'anmelden.',
        'Erinnerungen kommen weiter wie bisher, aber Sie können sie nicht ändern oder beantworten.',
        'Wenn Sie nicht wissen, warum, fragen Sie bei {site} nach.',
      ],
    },
  }),
  account_suspended_silently: template(30 * DAY, ['name', 'at'], {
    en: {
      subject: 'Your account was suspended: no more reminders',
      paragraphs: [
        'The account of {name} at {site} was suspended on {at|time}. Nobody can sign in to it now.',
        'Its reminders have stopped: nothing will remind you until the account is in use again.',
        'If you do not know why, ask those who run {site}.',
      ],
    },
    de: {
      subject: 'Ihr Konto wurde gesperrt: keine Erinnerungen mehr',
      paragraphs: [
        'Das Konto von {name} bei {site} wurde am {at|time} gesperrt. Niemand kann sich jetzt ' +
          'anmelden.',
        'Auch die Erinnerungen sind angehalten: Nichts erinnert Sie, bis das Konto wieder benutzt ' +
          'werden kann.',
        'Wenn Sie nicht wissen, warum, fragen Sie bei {site} nach.',
      ],
    },
  }),
  account_reinstated: template(30 * DAY, ['name', 'at'], {
    en: {
      subject: 'You can use your account again',
      paragraphs: [
        'The account of {name} at {site} can be used again since {at|time}. Sign in once more, ' +
          'and look at your reminders.',
      ],
    },
    de: {
      subject: 'Sie können Ihr Konto wieder benutzen',
      paragraphs: [
        'Das Konto von {name} bei {site} kann seit {at|time} wieder benutzt werden. Melden Sie ' +
          'sich neu an und sehen Sie Ihre Erinnerungen durch.',
      ],
    },
  }),
  care_assigned: template(30 * DAY, ['name', 'maker', 'at'], {
    en: {
      subject: 'A clinician was assigned to you',
      paragraphs: [
        '{maker} assigned {name} to you at {site} on {at|time}. {name} can see and change your ' +
          'record from now on.',
        'This was recorded. If it surprises you, ask your clinic.',
      ],
    },
    de: {
      subject: 'Ihnen wurde eine Fachperson zugeordnet',
      paragraphs: [
        '{maker} hat Ihnen am {at|time} bei {site} {name} zugeordnet. {name} kann von nun an ' +
          'Ihre Akte sehen und ändern.',
        'Das wurde festgehalten. Wenn es Sie überrascht, fragen Sie Ihre Klinik.',
      ],
    },
  }),
  care_assignment_alarm: template(7 * DAY, ['name', 'count', 'at'], {
    en: {
      subject: 'Many members were assigned',
      paragraphs: [
        '{name} assigned {count} members to clinicians at {site} within a day; last on {at|time}.',
        'Look in the audit at who was assigned to whom, and ask {name}. End what should not be.',
      ],
    },
    de: {
      subject: 'Viele Personen wurden zugeordnet',
      paragraphs: [
        '{name} hat bei {site} innerhalb eines Tages {count} Personen medizinischem Personal ' +
          'zugeordnet; zuletzt am {at|time}.',
        'Sehen Sie im Protokoll nach, wer wem zugeordnet wurde, und fragen Sie {name}. Beenden ' +
          'Sie, was nicht sein soll.',
      ],
    },
  }),
  application_password_made: template(7 * DAY, ['application', 'maker', 'at'], {
    en: {
      subject: 'A password was made for you',
      paragraphs: [
        '{maker} made a password for the application "{application}" on {at|time}. It signs in ' +
          'as you at {site}.',
        'If you do not expect this, revoke it in the list of your application passwords and ' +
          'tell us.',
      ],
    },
    de: {
      subject: 'Für Sie wurde ein Passwort angelegt',
      paragraphs: [
        '{maker} hat am {at|time} ein Passwort für die Anwendung „{application}“ angelegt. Es ' +
          'meldet sich bei {site} als Sie an.',
        'Wenn Sie das nicht erwarten, widerrufen Sie es in der Liste Ihrer ' +
          'Anwendungspasswörter und sagen Sie uns Bescheid.',
      ],
    },
  }),
  care_invitation: template(14 * DAY, ['name', 'code', 'until'], {
    en: {
      subject: 'An invitation to care',
      paragraphs: [
        '{name} invites you to take part in their care at {site}. This is the code of the ' +
          'invitation:',
        '{code}',
        'To accept, open the app, sign in or sign up, and enter the code by {until|time}. ' +
          'Either of you can end it at any time.',
        'If you do not know {name}, do nothing.',
      ],
    },
    de: {
      subject: 'Eine Einladung zur Betreuung',
      paragraphs: [
        '{name} lädt Sie ein, sich bei {site} an der Betreuung zu beteiligen. Dies ist der ' +
          'Code der Einladung:',
        '{code}',
        'Zum Annehmen öffnen Sie die App, melden sich an oder registrieren sich, und geben den ' +
          'Code bis {until|time} ein. Beide können es jederzeit beenden.',
        'Wenn Sie {name} nicht kennen, müssen Sie nichts tun.',
      ],
    },
  }),
  channel_lost: template(2 * DAY, [], {
    en: {
      subject: 'A way for your reminders was switched off',
      paragraphs: [
        'A number or chat to which {site} sent your reminders does not exist any more. Nothing ' +
          'is sent there now.',
        'If you still need it, add it again in the settings of your notifications.',
      ],
    },
    de: {
      subject: 'Ein Weg für Ihre Erinnerungen wurde abgeschaltet',
      paragraphs: [
        'Eine Nummer oder ein Chat, wohin {site} Ihre Erinnerungen gesendet hat, besteht nicht ' +
          'mehr. Dorthin wird nichts mehr gesendet.',
        'Wenn Sie ihn noch brauchen, fügen Sie ihn in den Einstellungen Ihrer Mitteilungen neu ' +
          'hinzu.',
      ],
    },
  }),
  device_unserved: template(2 * DAY, [], {
    en: {
      subject: 'Reminders do not reach your device',
      paragraphs: [
        'A reminder from {site} was missed, because {site} cannot send to this kind of device now.',
        'Look at your reminders in the app until then, or sign in on another kind of device.',
      ],
    },
    de: {
      subject: 'Erinnerungen erreichen Ihr Gerät nicht',
      paragraphs: [
        'Eine Erinnerung von {site} kam nicht an, denn {site} kann an diese Art von Gerät gerade ' +
          'nichts senden.',
        'Sehen Sie bis dahin in der App nach, oder melden Sie sich auf einer anderen Art von ' +
          'Gerät an.',
      ],
    },
  }),
  device_suspended: template(2 * DAY, [], {
    en: {
      subject: 'A device was switched off',
      paragraphs: [
        'Somebody asked that one of your devices no longer receives reminders from {site}, ' +
          'without signing in.',
        'If that was you, do nothing. If not, open the app on that device: it receives them ' +
          'again as soon as you are signed in.',
      ],
    },
    de: {
      subject: 'Ein Gerät wurde abgeschaltet',
      paragraphs: [
        'Jemand hat, ohne sich anzumelden, verlangt, dass eines Ihrer Geräte keine ' +
          'Erinnerungen von {site} mehr empfängt.',
        'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, öffnen Sie die App auf dem ' +
          'Gerät: Sobald Sie angemeldet sind, empfängt es sie wieder.',
      ],
    },
  }),
  ...REPORT_TEMPLATES,
} as const satisfies Record<string, Template>;

/** Name of a template. */
export type TemplateName = keyof typeof TEMPLATES;
/** The values that the text of a template needs. */
export type TemplateValues<T extends TemplateName> = Readonly<
  Record<(typeof TEMPLATES)[T]['values'][number], string>
>;

/** Returns a template by the name in a row; undefined for one that no longer exists. */
export function templateOf(name: string): Template | undefined {
  return Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name as TemplateName] : undefined;
}
