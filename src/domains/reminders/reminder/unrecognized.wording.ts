import type { Spoken } from '../../../platform/language.js';
import type { Doubt } from '../schedule/words/doubt.js';

/** What a member is told of a medicine that does not ring: what is the matter, what to do. */
export interface NotRinging {
  readonly title: string;
  readonly bodies: Readonly<Record<Doubt, string>>;
}

/** No medicine is named, nor how often it is taken: screens lie where others read them. */
export const NOT_RINGING: Spoken<NotRinging> = {
  en: {
    title: 'This medicine will not ring',
    bodies: {
      unknown:
        'How often you take one of your medicines was not understood. Please open it and choose ' +
        'when to be reminded.',
      ambiguous:
        'How often you take one of your medicines can mean several things. Please open it and ' +
        'choose which one is meant.',
      incomplete:
        'One of your medicines does not say on which days, or at which times, to remind you. ' +
        'Please open it and choose them.',
    },
  },
  de: {
    title: 'Dieses Medikament klingelt nicht',
    bodies: {
      unknown:
        'Wie oft Sie eines Ihrer Medikamente nehmen, wurde nicht verstanden. Bitte öffnen Sie es ' +
        'und wählen Sie, wann es klingelt.',
      ambiguous:
        'Wie oft Sie eines Ihrer Medikamente nehmen, kann mehreres bedeuten. Bitte öffnen Sie es ' +
        'und wählen Sie, was gemeint ist.',
      incomplete:
        'Bei einem Ihrer Medikamente fehlt, an welchen Tagen oder um welche Zeit es klingelt. ' +
        'Bitte öffnen Sie es und wählen Sie es aus.',
    },
  },
  es: {
    title: 'Este medicamento no sonará',
    bodies: {
      unknown:
        'No se entendió con qué frecuencia toma uno de sus medicamentos. Ábralo y elija cuándo ' +
        'quiere el aviso.',
      ambiguous:
        'La frecuencia de uno de sus medicamentos puede significar varias cosas. Ábralo y elija ' +
        'la correcta.',
      incomplete:
        'En uno de sus medicamentos falta en qué días o a qué horas avisar. Ábralo y elíjalo.',
    },
  },
  fr: {
    title: 'Ce médicament ne sonnera pas',
    bodies: {
      unknown:
        "La fréquence de l'un de vos médicaments n'a pas été comprise. Ouvrez-le et choisissez " +
        'quand être averti.',
      ambiguous:
        "La fréquence de l'un de vos médicaments peut avoir plusieurs sens. Ouvrez-le et " +
        'choisissez le bon.',
      incomplete:
        "Pour l'un de vos médicaments, il manque les jours ou les heures de rappel. Ouvrez-le et " +
        'choisissez-les.',
    },
  },
  pt: {
    title: 'Este medicamento não vai tocar',
    bodies: {
      unknown:
        'Não se percebeu com que frequência toma um dos seus medicamentos. Abra-o e escolha ' +
        'quando quer o aviso.',
      ambiguous:
        'A frequência de um dos seus medicamentos pode significar várias coisas. Abra-o e ' +
        'escolha a certa.',
      incomplete:
        'Num dos seus medicamentos falta em que dias ou a que horas avisar. Abra-o e escolha.',
    },
  },
  ar: {
    title: 'لن يرن تذكير هذا الدواء',
    bodies: {
      unknown: 'لم يُفهم عدد مرات تناول أحد أدويتك. افتحه واختر متى تريد التذكير.',
      ambiguous: 'قد يكون لعدد مرات تناول أحد أدويتك أكثر من معنى. افتحه واختر المعنى المقصود.',
      incomplete: 'لا يذكر أحد أدويتك الأيام أو الأوقات التي تريد التذكير فيها. افتحه واخترها.',
    },
  },
};
