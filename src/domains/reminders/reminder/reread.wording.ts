import type { Spoken } from '../../../platform/language.js';

/** The notice to members and carers about a medicine that is read otherwise now. */
interface Wording {
  readonly title: string;
  readonly body: string;
}

/** No medicine is named, nor how much of it is taken: screens lie where others read them. */
export const REREAD: Spoken<
  Readonly<Record<'corrected' | 'ranged' | 'doubted' | 'unusual', Wording>>
> = {
  en: {
    corrected: {
      title: 'A medicine was corrected',
      body:
        'The directions of a medicine were misread until now. Its times and amounts have been ' +
        'corrected. Please open it and compare it with the prescription.',
    },
    ranged: {
      title: 'A medicine has a range now',
      body:
        'The amount of a medicine is shown as a range now, as its directions say. Its times are as ' +
        'before. Please open it and compare it with the prescription.',
    },
    doubted: {
      title: 'Please check a medicine',
      body:
        'The directions of a medicine can mean several things. It rings as before. Please open ' +
        'it and choose what is meant.',
    },
    unusual: {
      title: 'Please check a medicine',
      body:
        'The directions of a medicine are unusual for it. Please open it, compare it with the ' +
        'prescription, and confirm or correct it.',
    },
  },
  de: {
    corrected: {
      title: 'Ein Medikament wurde berichtigt',
      body:
        'Die Anweisung zu einem Medikament wurde bisher falsch gelesen. Zeiten und Mengen sind ' +
        'berichtigt. Bitte öffnen Sie es und vergleichen Sie es mit dem Rezept.',
    },
    ranged: {
      title: 'Ein Medikament hat jetzt eine Spanne',
      body:
        'Die Menge eines Medikaments wird jetzt als Spanne gezeigt, wie die Anweisung sie nennt. Die ' +
        'Zeiten sind wie bisher. Bitte öffnen Sie es und vergleichen Sie es mit dem Rezept.',
    },
    doubted: {
      title: 'Bitte prüfen Sie ein Medikament',
      body:
        'Die Anweisung zu einem Medikament kann mehreres bedeuten. Es klingelt wie bisher. Bitte ' +
        'öffnen Sie es und wählen Sie, was gemeint ist.',
    },
    unusual: {
      title: 'Bitte prüfen Sie ein Medikament',
      body:
        'Die Anweisung zu einem Medikament ist für dieses ungewöhnlich. Bitte öffnen Sie es, ' +
        'vergleichen Sie es mit dem Rezept, und bestätigen oder berichtigen Sie es.',
    },
  },
  es: {
    corrected: {
      title: 'Se corrigió un medicamento',
      body:
        'Hasta ahora las indicaciones de un medicamento se leyeron mal. Sus horas y cantidades ' +
        'están corregidas. Ábralo y compárelo con la receta.',
    },
    ranged: {
      title: 'Un medicamento tiene ahora un intervalo',
      body:
        'La cantidad de un medicamento se muestra ahora como intervalo, según sus indicaciones. Sus ' +
        'horas son las de antes. Ábralo y compárelo con la receta.',
    },
    doubted: {
      title: 'Revise un medicamento',
      body:
        'Las indicaciones de un medicamento pueden significar varias cosas. Suena como antes. ' +
        'Ábralo y elija lo que se quiere decir.',
    },
    unusual: {
      title: 'Revise un medicamento',
      body:
        'Las indicaciones de un medicamento son poco habituales para él. Ábralo, compárelo con ' +
        'la receta y confírmelo o corríjalo.',
    },
  },
  fr: {
    corrected: {
      title: 'Un médicament a été corrigé',
      body:
        "Jusqu'ici, la prescription d'un médicament était mal lue. Ses heures et ses quantités " +
        "sont corrigées. Ouvrez-le et comparez-le avec l'ordonnance.",
    },
    ranged: {
      title: 'Un médicament a maintenant une fourchette',
      body:
        "La quantité d'un médicament s'affiche maintenant comme une fourchette, selon la " +
        "prescription. Ses heures restent les mêmes. Ouvrez-le et comparez-le avec l'ordonnance.",
    },
    doubted: {
      title: 'Vérifiez un médicament',
      body:
        "La prescription d'un médicament peut avoir plusieurs sens. Il sonne comme avant. " +
        'Ouvrez-le et choisissez le bon.',
    },
    unusual: {
      title: 'Vérifiez un médicament',
      body:
        "La prescription d'un médicament est inhabituelle pour lui. Ouvrez-le, comparez-le avec " +
        "l'ordonnance, puis confirmez-le ou corrigez-le.",
    },
  },
  pt: {
    corrected: {
      title: 'Um medicamento foi corrigido',
      body:
        'Até agora, as instruções de um medicamento foram mal lidas. As horas e as quantidades ' +
        'estão corrigidas. Abra-o e compare-o com a receita.',
    },
    ranged: {
      title: 'Um medicamento tem agora um intervalo',
      body:
        'A quantidade de um medicamento é mostrada agora como intervalo, segundo as instruções. As ' +
        'horas são as de antes. Abra-o e compare-o com a receita.',
    },
    doubted: {
      title: 'Verifique um medicamento',
      body:
        'As instruções de um medicamento podem significar várias coisas. Toca como antes. Abra-o ' +
        'e escolha o que se quer dizer.',
    },
    unusual: {
      title: 'Verifique um medicamento',
      body:
        'As instruções de um medicamento são invulgares para ele. Abra-o, compare-o com a ' +
        'receita e confirme-o ou corrija-o.',
    },
  },
  ar: {
    corrected: {
      title: 'تم تصحيح دواء',
      body: 'كانت تعليمات أحد الأدوية تُقرأ خطأ حتى الآن. صُححت أوقاته وكمياته. افتحه وقارنه بالوصفة.',
    },
    ranged: {
      title: 'لدواء الآن نطاق للكمية',
      body: 'تُعرض كمية أحد الأدوية الآن كنطاق كما في تعليماته. أوقاته كما كانت. افتحه وقارنه بالوصفة.',
    },
    doubted: {
      title: 'يرجى التحقق من دواء',
      body: 'قد يكون لتعليمات أحد الأدوية أكثر من معنى. يرن كما كان. افتحه واختر المعنى المقصود.',
    },
    unusual: {
      title: 'يرجى التحقق من دواء',
      body: 'تعليمات أحد الأدوية غير معتادة له. افتحه وقارنه بالوصفة ثم أكّده أو صحّحه.',
    },
  },
};
