/** What stands around the dose in a language, made of its parts: it changes nothing of when. */
export interface Around {
  /** Where drops go. */
  readonly sites: readonly string[];
  /** What it is for, and with what it is taken. */
  readonly advice: readonly string[];
  /** What it is taken for when needed. */
  readonly complaints: readonly string[];
}

/** Returns each choice of one word of each list, which are parted by bars. */
const each = (...lists: readonly string[]): readonly string[] =>
  lists.reduce<readonly string[]>(
    (before, words) =>
      before.flatMap((one) => words.split('|').map((word) => `${one} ${word}`.trim())),
    [''],
  );

/** By the names of the languages. */
export const AROUND: Readonly<Record<string, Around>> = {
  en: {
    sites: [
      ...each('in|into|to', 'the', 'left|right|affected', 'eye|ear'),
      ...each('in', 'both|each', 'nostrils|eyes|ears'),
    ],
    advice: [
      ...each('for|for your|to control', 'blood pressure|diabetes|high cholesterol|gout'),
      ...each('to prevent|to help prevent', 'stroke|blood clots|infection'),
      ...each('in|dissolved in|with', 'a glass of|half a glass of|a little', 'water|juice'),
    ],
    complaints: each('if|for|in case of', 'pain|nausea|severe headache|cough or fever'),
  },
  es: {
    sites: each('en', 'el ojo|el oído', 'derecho|izquierdo|afectado'),
    advice: [
      ...each('para', 'la tensión|el colesterol|la diabetes|el corazón'),
      ...each('en|disuelto en|con', 'un vaso de|medio vaso de|un poco de', 'agua|zumo'),
    ],
    complaints: each('si|si hay|en caso de', 'dolor|fiebre|dolor de cabeza|náuseas o vómitos'),
  },
  fr: {
    sites: each('dans', "l'oeil|l'oreille", 'droit|gauche'),
    advice: [
      ...each('pour|contre', 'la tension|le cholestérol|le diabète'),
      ...each('dans|dilué dans|avec', "un verre d'eau|un peu d'eau|un verre de jus"),
    ],
    complaints: each('si|en cas de', 'douleur|fièvre|maux de tête|nausées ou vomissements'),
  },
  de: {
    sites: each('in', 'das|jedes', 'rechte|linke|betroffene', 'Auge|Ohr'),
    advice: [
      ...each('gegen|für', 'den Blutdruck|das Herz|Bluthochdruck'),
      ...each('in|mit', 'einem Glas|etwas|viel', 'Wasser|Saft'),
    ],
    complaints: each('bei', 'Schmerzen|Fieber|Kopfschmerzen|Übelkeit oder Erbrechen'),
  },
  pt: {
    sites: each('no', 'olho|ouvido', 'direito|esquerdo|afetado'),
    advice: [
      ...each('para', 'a pressão|o colesterol|a diabetes|o coração'),
      ...each('em|diluído em|com', 'um copo de|meio copo de|um pouco de', 'água|suco'),
    ],
    complaints: each('se|se tiver|em caso de', 'dor|febre|dor de cabeça|náuseas ou vômitos'),
  },
  ar: {
    sites: each('في', 'العين|الأذن', 'اليمنى|اليسرى|المصابة'),
    advice: [
      ...each('للضغط|للسكري|للكوليسترول|لعلاج الالتهاب'),
      ...each('مع|في', 'كوب من|كأس من', 'الماء|العصير'),
    ],
    complaints: each('عند|في حالة', 'الألم|الصداع|الحمى|الغثيان أو القيء'),
  },
};
