import { DAY, type Template, template } from './template.js';

/** Mails of saved reports: links, and no number of a report. */
export const REPORT_TEMPLATES = {
  report_ready: template(2 * DAY, ['name', 'maker', 'link', 'unsubscribe'], {
    en: {
      subject: 'A report is ready',
      paragraphs: [
        '{maker} has the report "{name}" at {site} mailed to you. Sign in to see its numbers:',
        '{link}',
        'If you do not want these mails: {unsubscribe}',
      ],
    },
    de: {
      subject: 'Ein Bericht ist bereit',
      paragraphs: [
        '{maker} lässt Ihnen den Bericht „{name}“ von {site} schicken. Melden Sie sich an, um ' +
          'die Zahlen zu sehen:',
        '{link}',
        'Wenn Sie diese Mails nicht möchten: {unsubscribe}',
      ],
    },
  }),
  report_recipients_lost: template(7 * DAY, ['name', 'count', 'link'], {
    en: {
      subject: 'A report no longer reaches everybody',
      paragraphs: [
        'Of those who get your report "{name}" at {site} by mail, {count} left, lost the right ' +
          'to see it or have no proven address. They were taken off the list.',
        '{link}',
      ],
    },
    de: {
      subject: 'Ein Bericht erreicht nicht mehr alle',
      paragraphs: [
        'Von denen, die Ihren Bericht „{name}“ bei {site} per Mail bekommen, sind {count} nicht ' +
          'mehr da, dürfen ihn nicht mehr sehen oder haben keine bestätigte Adresse. Sie wurden ' +
          'aus der Liste genommen.',
        '{link}',
      ],
    },
  }),
  report_not_mailed: template(7 * DAY, ['name', 'link'], {
    en: {
      subject: 'A report was not mailed',
      paragraphs: [
        'Your report "{name}" at {site} was mailed to nobody, and is not mailed any more: it ' +
          'asks for fields that are not there any more, or you may not see it any more. Once ' +
          'that has changed, have it mailed again:',
        '{link}',
      ],
    },
    de: {
      subject: 'Ein Bericht wurde nicht verschickt',
      paragraphs: [
        'Ihr Bericht „{name}“ bei {site} wurde niemandem geschickt und wird nicht mehr ' +
          'verschickt: Er fragt nach Feldern, die es nicht mehr gibt, oder Sie dürfen ihn nicht ' +
          'mehr sehen. Wenn sich das geändert hat, lassen Sie ihn wieder verschicken:',
        '{link}',
      ],
    },
  }),
} as const satisfies Record<string, Template>;
