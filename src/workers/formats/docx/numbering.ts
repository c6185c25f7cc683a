import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { isOn, nameOf, valOf } from './markup.ts';

interface Level {
  start: number;
  format: string;
  /** The first number of a custom format, such as `001`. */
  sample: string;
  /** Such as `%1.%2)`. */
  text: string;
  /** Restarts after this level, counted from 1; 0: never. */
  restart: number | null;
  /** All its numbers are decimal. */
  isLegal: boolean;
  style: string | null;
  isAttached: boolean;
}

interface List {
  levels: Map<number, Level>;
  /** A style that has the levels in place of this list. */
  styleLink: string | null;
  /** Last number of each level; shared by the numberings of the list. */
  counts: Map<number, number>;
}

interface Numbering {
  list: string;
  starts: Map<number, number>;
  levels: Map<number, Level>;
}

/** A paragraph's reference to a list. */
export interface NumberingReference {
  numId: string | null;
  level: number | null;
}

export interface Label {
  /** Empty: a bullet. */
  text: string;
  depth: number;
}

const MAX_LEVEL = 8;

/** The automatic numbers of paragraphs. Must be asked for every paragraph once, in their order. */
export class Numberings implements XmlHandler {
  /** Formats whose numbers are given as decimals. */
  readonly unknownFormats = new Set<string>();
  readonly #lists = new Map<string, List>();
  readonly #numberings = new Map<string, Numbering>();
  /** Numberings whose starts are used already, with the level. */
  readonly #begun = new Set<string>();
  #list: List | null = null;
  #numbering: Numbering | null = null;
  #level: Level | null = null;
  #overridden = 0;

  open(tag: XmlTag): void {
    const name = nameOf(tag);
    const level = this.#level;
    switch (name) {
      case 'w:abstractNum':
        this.#list = { levels: new Map(), styleLink: null, counts: new Map() };
        this.#lists.set(attribute(tag, 'abstractNumId') ?? '', this.#list);
        break;
      case 'w:num':
        this.#numbering = { list: '', starts: new Map(), levels: new Map() };
        this.#numberings.set(attribute(tag, 'numId') ?? '', this.#numbering);
        break;
      case 'w:abstractNumId':
        if (this.#numbering) this.#numbering.list = valOf(tag) ?? '';
        break;
      case 'w:numStyleLink':
        if (this.#list) this.#list.styleLink = valOf(tag) ?? null;
        break;
      case 'w:lvlOverride':
        this.#overridden = numberOf(attribute(tag, 'ilvl'), 0);
        break;
      case 'w:startOverride':
        this.#numbering?.starts.set(this.#overridden, numberOf(valOf(tag), 1));
        break;
      case 'w:lvl':
        this.#level = newLevel();
        (this.#numbering ?? this.#list)?.levels.set(numberOf(attribute(tag, 'ilvl'), 0), this.#level);
        break;
      default:
        if (level) describe(level, name, tag);
    }
  }

  close(tag: XmlTag): void {
    const name = nameOf(tag);
    if (name === 'w:abstractNum') this.#list = null;
    if (name === 'w:num') this.#numbering = null;
    if (name === 'w:lvl') this.#level = null;
  }

  /** Null if the paragraph has no number. `linked`: the reference of a list style. */
  label(
    { numId, level }: NumberingReference,
    style: string | null,
    linked: (style: string) => string | null,
  ): Label | null {
    const numbering = this.#numberings.get(numId ?? '');
    const list = numbering && this.#listOf(numbering, linked);
    if (!numbering || !list) return null;
    const levelOf = (at: number) => numbering.levels.get(at) ?? list.levels.get(at);
    const ofStyle = [...list.levels].find(([, one]) => style !== null && one.style === style)?.[0];
    const depth = Math.min(Math.max(level ?? ofStyle ?? 0, 0), MAX_LEVEL);
    const found = levelOf(depth);
    if (!found) return null;
    this.#count(list, numId!, numbering, depth, levelOf);
    if (found.format === 'bullet') return { text: '', depth };
    const text = found.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const shown = levelOf(at);
      if (!shown) return '';
      const { format, sample, start } = shown;
      if (!isKnownFormat(format)) this.unknownFormats.add(format);
      const isDecimal = found.isLegal && format !== 'none';
      return numeral(isDecimal ? 'decimal' : format, list.counts.get(at) ?? start, sample);
    });
    if (text.trim() === '') return null;
    return { text: found.isAttached ? text : `${text} `, depth };
  }

  #listOf(numbering: Numbering, linked: (style: string) => string | null): List | undefined {
    const list = this.#lists.get(numbering.list);
    const target = list?.styleLink ? linked(list.styleLink) : null;
    const other = target === null ? undefined : this.#numberings.get(target);
    return (other && other !== numbering && this.#lists.get(other.list)) || list;
  }

  #count(
    { counts }: List,
    numId: string,
    { starts }: Numbering,
    depth: number,
    levelOf: (at: number) => Level | undefined,
  ): void {
    const key = `${numId} ${depth}`;
    const isFirst = !this.#begun.has(key);
    this.#begun.add(key);
    const before = isFirst && starts.has(depth) ? undefined : counts.get(depth);
    const start = (isFirst ? starts.get(depth) : undefined) ?? levelOf(depth)!.start;
    counts.set(depth, before === undefined ? start : before + 1);
    for (let deeper = depth + 1; deeper <= MAX_LEVEL; deeper += 1) {
      const restart = levelOf(deeper)?.restart ?? deeper;
      if (restart > depth) counts.delete(deeper);
    }
  }
}

function newLevel(): Level {
  return {
    ...{ start: 1, format: 'decimal', sample: '', text: '' },
    ...{ restart: null, isLegal: false, style: null, isAttached: false },
  };
}

function describe(level: Level, name: string, tag: XmlTag): void {
  const value = valOf(tag);
  // A format for old programs follows a custom one.
  if (name === 'w:numFmt' && level.format !== 'custom') {
    level.format = value ?? 'decimal';
    level.sample = attribute(tag, 'format') ?? '';
  }
  if (name === 'w:start') level.start = numberOf(value, 1);
  if (name === 'w:lvlText') level.text = value ?? '';
  if (name === 'w:lvlRestart') level.restart = numberOf(value, 0);
  if (name === 'w:isLgl') level.isLegal = isOn(value);
  if (name === 'w:pStyle') level.style = value ?? null;
  if (name === 'w:suff') level.isAttached = value === 'nothing';
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return text === undefined || !Number.isSafeInteger(number) ? otherwise : number;
}

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
