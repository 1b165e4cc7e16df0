import type { Table } from '../term.js';
import type { Language } from '../vocabulary.js';
import { type Entry, finish, gone } from './entries.js';

/** Each beginning with each ending. */
const each = (beginnings: string, endings: string, made: (words: string) => Entry = finish) =>
  made(
    beginnings
      .split('|')
      .flatMap((one) => endings.split('|').map((other) => `${one} ${other}`))
      .join('|'),
  );

/** Words of a direction that ends when the supply is finished, by language. */
export const FINISHES: Readonly<Record<Language, Table>> = {
  en: [
    each(
      'until|till|til',
      'finished|all taken|complete|completed|finished all|all finished|used up|all used|empty|' +
        'they are finished|it is finished|all are taken|all have been taken|it runs out|' +
        'they run out',
    ),
    each(
      'until|till|til',
      "gone|all gone|they are gone|they are all gone|it is gone|it's gone|it is all gone",
      gone,
    ),
    each(
      'until the|till the|until',
      'supply is finished|supply runs out|pack is finished|pack is empty|packet is finished|' +
        'packet is empty|box is finished|box is empty|bottle is finished|bottle is empty|' +
        'tube is finished|medicine is finished|medicine runs out|course is finished|' +
        'course is complete|course is completed|tablets are finished|tablets are gone|' +
        'capsules are finished|capsules are gone|end of the pack|end of the box|' +
        'end of the bottle|end of the packet',
    ),
    each(
      'complete|and complete|to complete|finish|and finish|to finish',
      'all|all tablets|all capsules|all medication|the course|course|the full course|full course|the prescribed course|the pack|the packet|' +
        'the box|the bottle',
    ),
  ],
  es: [
    each(
      'hasta',
      'terminar|terminarlo|terminarlos|terminarla|terminarlas|acabar|acabarlo|acabarlos|' +
        'acabarla|acabarlas|agotar|agotarlo|agotarlos|finalizar|que se agote|que se agoten|' +
        'que se acabe el medicamento|que se termine el medicamento|que se acabe la caja|' +
        'que se termine la caja',
    ),
    each('hasta que se', 'acabe|acaben|termine|terminen', gone),
    each(
      'hasta terminar|hasta acabar|hasta agotar|hasta el fin|hasta el final',
      'el envase|la caja|el frasco|el medicamento|las pastillas|los comprimidos|del envase|' +
        'de la caja|del frasco|del medicamento',
    ),
    each('hasta terminar|completar', 'el tratamiento'),
  ],
  fr: [
    each(
      "jusqu'à épuisement|jusqu'à la fin",
      'de la boîte|du flacon|du paquet|de la plaquette|du médicament|du tube|du stock|des comprimés',
    ),
    each('finir|terminer', 'la boîte|le flacon|le paquet|la plaquette|le médicament|le tube'),
    each(
      "jusqu'à ce que",
      'la boîte soit finie|la boîte soit terminée|la boîte soit vide|le flacon soit fini|' +
        'le flacon soit terminé|le flacon soit vide',
    ),
    gone("jusqu'à la fin|jusqu'à ce que ce soit fini"),
    finish("jusqu'à épuisement|terminer le traitement|finir le traitement"),
  ],
  de: [
    each(
      'bis zum ende|bis zum aufbrauchen|bis ende|bis zum schluss',
      'der packung|der schachtel|der flasche|der tube|des vorrats',
    ),
    each(
      'bis die packung|bis packung|bis die schachtel|bis die flasche|bis die tube|bis der vorrat|' +
        'bis alles|bis es',
      'leer ist|aufgebraucht ist|zu ende ist|aufgebraucht|leer',
    ),
    each(
      'bis alle|bis die tabletten|bis die kapseln|bis alle tabletten|bis alle kapseln',
      'aufgebraucht sind|genommen sind|eingenommen sind|verbraucht sind',
    ),
    finish('bis aufgebraucht|bis zum aufbrauchen|bis packungsende|packung aufbrauchen'),
  ],
  pt: [
    finish('até esgotar|até esgotarem'),
    each(
      'até',
      'terminar|terminarem|acabar|acabarem|que acabe|que acabem|que termine|que terminem',
      gone,
    ),
    each(
      'até acabar|até terminar|até esgotar',
      'a caixa|a embalagem|o frasco|o medicamento|o remédio|os comprimidos|as cápsulas',
    ),
    each(
      'até o fim|até ao fim|até o final|até ao final|até o término',
      'da caixa|da embalagem|do frasco|do medicamento|do remédio',
    ),
    each('completar|até terminar', 'o tratamento'),
  ],
  ar: [
    gone('حتى ينتهي|حتى تنتهي'),
    finish('حتى الانتهاء|حتى الانتهاء منه|حتى ينفد|حتى تنفد|حتى النفاد'),
    each(
      'حتى ينتهي|حتى تنتهي|حتى انتهاء|حتى نهاية|حتى ينفد|حتى تنفد|حتى نفاد',
      'الدواء|العلبة|العبوة|الكمية|الزجاجة|الحبوب|الكبسولات|الأقراص',
    ),
  ],
};
