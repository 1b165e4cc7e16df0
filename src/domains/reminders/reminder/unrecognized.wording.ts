import type { Spoken } from '../../../platform/language.js';
import type { Doubt } from '../schedule/words/doubt.js';

/**
 * The notice to members and carers about a medicine that does not ring: what is the matter, what to
 * do.
 */
export interface NotRinging {
  readonly title: string;
  readonly bodies: Readonly<Record<Doubt, string>>;
}

/** No medicine is named, nor whose it is or how often it is taken: others read screens too. */
export const NOT_RINGING: Spoken<NotRinging> = {
  en: {
    title: 'A medicine will not ring',
    bodies: {
      unknown:
        'How often a medicine is taken was not understood. Please open it and choose when it ' +
        'rings.',
      ambiguous:
        'How often a medicine is taken can mean several things. Please open it and choose ' +
        'which one is meant.',
      incomplete:
        'A medicine does not say on which days, or at which times, it rings. Please open it ' +
        'and choose them.',
    },
  },
  de: {
    title: 'Ein Medikament klingelt nicht',
    bodies: {
      unknown:
        'Wie oft ein Medikament genommen wird, wurde nicht verstanden. Bitte öffnen Sie es ' +
        'und wählen Sie, wann es klingelt.',
      ambiguous:
        'Wie oft ein Medikament genommen wird, kann mehreres bedeuten. Bitte öffnen Sie es ' +
        'und wählen Sie, was gemeint ist.',
      incomplete:
        'Bei einem Medikament fehlt, an welchen Tagen oder um welche Zeit es klingelt. Bitte ' +
        'öffnen Sie es und wählen Sie es aus.',
    },
  },
  es: {
    title: 'Un medicamento no sonará',
    bodies: {
      unknown:
        'No se entendió con qué frecuencia se toma un medicamento. Ábralo y elija cuándo ' +
        'debe sonar.',
      ambiguous:
        'La frecuencia de un medicamento puede significar varias cosas. Ábralo y elija la ' +
        'correcta.',
      incomplete: 'En un medicamento falta en qué días o a qué horas avisar. Ábralo y elíjalo.',
    },
  },
  fr: {
    title: 'Un médicament ne sonnera pas',
    bodies: {
      unknown:
        "La fréquence d'un médicament n'a pas été comprise. Ouvrez-le et choisissez quand il " +
        'doit sonner.',
      ambiguous:
        "La fréquence d'un médicament peut avoir plusieurs sens. Ouvrez-le et choisissez le bon.",
      incomplete:
        'Pour un médicament, il manque les jours ou les heures de rappel. Ouvrez-le et ' +
        'choisissez-les.',
    },
  },
  pt: {
    title: 'Um medicamento não vai tocar',
    bodies: {
      unknown:
        'Não se percebeu com que frequência se toma um medicamento. Abra-o e escolha quando ' +
        'deve tocar.',
      ambiguous:
        'A frequência de um medicamento pode significar várias coisas. Abra-o e escolha a certa.',
      incomplete: 'Num medicamento falta em que dias ou a que horas avisar. Abra-o e escolha.',
    },
  },
  ar: {
    title: 'لن يرن تذكير أحد الأدوية',
    bodies: {
      unknown: 'لم يُفهم عدد مرات تناول أحد الأدوية. افتحه واختر متى يرن التذكير.',
      ambiguous: 'قد يكون لعدد مرات تناول أحد الأدوية أكثر من معنى. افتحه واختر المعنى المقصود.',
      incomplete: 'لا يذكر أحد الأدوية الأيام أو الأوقات التي يرن فيها التذكير. افتحه واخترها.',
    },
  },
};

/** What of an appointment cannot be read. */
export type Unreadable = 'date' | 'lead';

/** The notice to members and carers about an appointment that cannot be read, without its title. */
export const UNREADABLE: Spoken<
  Readonly<Record<Unreadable, Readonly<Record<'title' | 'body', string>>>>
> = {
  en: {
    date: {
      title: 'An appointment will not ring',
      body:
        'The date of an appointment was not understood. Please open it and choose the date ' +
        'and the time.',
    },
    lead: {
      title: 'Please check an appointment',
      body:
        'How long before an appointment to remind was not understood. It rings when the ' +
        'appointment begins. Please open it and choose how long before.',
    },
  },
  de: {
    date: {
      title: 'Ein Termin klingelt nicht',
      body:
        'Das Datum eines Termins wurde nicht verstanden. Bitte öffnen Sie ihn und wählen Sie ' +
        'Tag und Uhrzeit.',
    },
    lead: {
      title: 'Bitte prüfen Sie einen Termin',
      body:
        'Wie lange vor einem Termin erinnert werden soll, wurde nicht verstanden. Er ' +
        'klingelt zu seinem Beginn. Bitte öffnen Sie ihn und wählen Sie, wie lange vorher.',
    },
  },
  es: {
    date: {
      title: 'Una cita no sonará',
      body: 'No se entendió la fecha de una cita. Ábrala y elija el día y la hora.',
    },
    lead: {
      title: 'Revise una cita',
      body:
        'No se entendió con cuánta antelación avisar de una cita. Sonará cuando empiece. ' +
        'Ábrala y elija la antelación.',
    },
  },
  fr: {
    date: {
      title: 'Un rendez-vous ne sonnera pas',
      body:
        "La date d'un rendez-vous n'a pas été comprise. Ouvrez-le et choisissez le jour et " +
        "l'heure.",
    },
    lead: {
      title: 'Vérifiez un rendez-vous',
      body:
        "Le délai de rappel d'un rendez-vous n'a pas été compris. Il sonnera à son début. " +
        'Ouvrez-le et choisissez combien de temps avant.',
    },
  },
  pt: {
    date: {
      title: 'Uma consulta não vai tocar',
      body: 'Não se percebeu a data de uma consulta. Abra-a e escolha o dia e a hora.',
    },
    lead: {
      title: 'Verifique uma consulta',
      body:
        'Não se percebeu com quanta antecedência avisar de uma consulta. Toca quando ela ' +
        'começar. Abra-a e escolha a antecedência.',
    },
  },
  ar: {
    date: {
      title: 'لن يرن تذكير أحد المواعيد',
      body: 'لم يُفهم تاريخ أحد المواعيد. افتحه واختر اليوم والساعة.',
    },
    lead: {
      title: 'يرجى التحقق من موعد',
      body: 'لم تُفهم مدة التذكير قبل أحد المواعيد. سيرن عند بدايته. افتحه واختر المدة قبله.',
    },
  },
};
