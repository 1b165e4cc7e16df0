/** Titles in twelve scripts, each with something that a comparison ignores. */
export const TITLES: Readonly<Record<string, string>> = {
  latin: 'Café à Zürich Łódź',
  greek: 'Κέντρο Υγείας',
  cyrillic: 'Лекарство йод Ёжик',
  arabic: 'أدوية السكري',
  hebrew: 'שלום תרופה',
  devanagari: 'मधुमेह की दवा',
  bengali: 'ঔষধ ডায়াবেটিস',
  thai: 'ยาเบาหวาน',
  han: '糖尿病基礎',
  kana: 'くすりガイド',
  hangul: '당뇨병 약',
  georgian: 'წამალი დიაბეტი',
  armenian: 'Դեղ և Շաքար',
  tamil: 'நீரிழிவு மருந்து',
  amharic: 'መድኃኒት ስኳር',
};
