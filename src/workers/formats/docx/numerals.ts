const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const MAX_ROMAN = 4_999;

function roman(number: number): string {
  if (number < 1 || number > MAX_ROMAN) return String(number);
  let rest = number;
  return ROMAN.map(([value, letters]) => {
    const times = Math.floor(rest / value);
    rest -= times * value;
    return letters.repeat(times);
  }).join('');
}

/** After the last letter Word doubles them: y, z, aa, bb. */
function lettered(alphabet: string, number: number): string {
  const letters = [...alphabet];
  if (number < 1 || number > 30 * letters.length) return String(number);
  return letters[(number - 1) % letters.length]!.repeat(Math.ceil(number / letters.length));
}

function ordinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}

/** Up to 99,999. */
function chinese(number: number): string {
  const digits = [...'〇一二三四五六七八九'];
  if (number < 1 || number > 99_999) return String(number);
  const text = [...String(number)]
    .map((digit, index, all) =>
      digit === '0' ? '〇' : digits[Number(digit)]! + ['', '十', '百', '千', '万'][all.length - 1 - index]!,
    )
    .join('')
    .replace(/〇+$/, '')
    .replace(/〇+/g, '〇');
  return text.replace(/^一十/, '十');
}

const ENCLOSED = 0x245f;

function circled(number: number): string {
  return number > 0 && number <= 20 ? String.fromCharCode(ENCLOSED + number) : String(number);
}

/** Names of ECMA-376, 17.18.59; other formats, such as words of a language, give decimals. */
const FORMATS: Readonly<Record<string, (number: number) => string>> = {
  decimal: String,
  decimalZero: (number) => String(number).padStart(2, '0'),
  upperRoman: (number) => roman(number).toUpperCase(),
  lowerRoman: roman,
  upperLetter: (number) => lettered('ABCDEFGHIJKLMNOPQRSTUVWXYZ', number),
  lowerLetter: (number) => lettered('abcdefghijklmnopqrstuvwxyz', number),
  russianUpper: (number) => lettered('АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ', number),
  russianLower: (number) => lettered('абвгдежзиклмнопрстуфхцчшщыэюя', number),
  ordinal,
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  decimalEnclosedParen: (number) => `(${number})`,
  decimalFullWidth: (number) =>
    String(number).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  ideographDigital: (number) => String(number).replace(/\d/g, (digit) => '〇一二三四五六七八九'[Number(digit)]!),
  japaneseCounting: chinese,
  taiwaneseCounting: chinese,
  taiwaneseCountingThousand: chinese,
  none: () => '',
};

/** A number in a format of lists; `zeros`: a custom one's first sample, such as `001`. */
export function numeral(format: string, number: number, sample = ''): string {
  if (format === 'custom') return String(number).padStart(/^0*\d/.exec(sample)?.[0].length ?? 1, '0');
  return (FORMATS[format] ?? String)(number);
}

export function isKnownFormat(format: string): boolean {
  return format === 'custom' || format === 'bullet' || Object.hasOwn(FORMATS, format);
}
