const NUMBER = /\p{Nd}+/gu;
const DIGIT = /\p{Nd}/u;
const FOREIGN = /[^\x00-\x7f]/;

/**
 * Replaces the decimal digits of any script (Unicode general category Nd) by 0 to 9: the
 * Arabic-Indic ٣ becomes 3. Returns undefined when one number mixes digits of several scripts.
 * Superscripts, fractions and Roman numerals are not decimal digits and stay unchanged.
 */
export function asciiDigits(text: string): string | undefined {
  if (!FOREIGN.test(text)) return text;
  let mixed = false;
  const plain = text.replace(NUMBER, (number) => {
    const digits = Array.from(number, (digit) => digit.codePointAt(0) as number);
    const zeros = new Set(digits.map(zeroOf));
    mixed ||= zeros.size > 1;
    return digits.map((digit) => digit - zeroOf(digit)).join('');
  });
  return mixed ? undefined : plain;
}

/**
 * Returns the code point of the zero in a digit's script. Unicode encodes the decimal digits of
 * each script in order, in a range of ten.
 */
function zeroOf(digit: number): number {
  if (digit <= 0x39) return 0x30;
  let first = digit;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return digit - ((digit - first) % 10);
}
