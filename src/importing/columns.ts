import { invalid } from '../core/shared/errors.ts';
import { type DecimalMark, hasLeadingZero, type Written, writtenNumber } from './numbers.ts';

export const COLUMN_TYPES = ['text', 'number', 'number-point', 'number-comma', 'boolean'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const TYPE_PART = new RegExp(`(.+?)=(${COLUMN_TYPES.toSorted().toReversed().join('|')})(?:,|$)`, 'y');

/** `amount=number,zip=text`. Names may contain commas and equals signs. */
export function columnTypes(option: string): Map<string, ColumnType> {
  const types = new Map<string, ColumnType>();
  TYPE_PART.lastIndex = 0;
  for (let end = 0; end < option.length; end = TYPE_PART.lastIndex) {
    const [, name, type] = TYPE_PART.exec(option) ?? [];
    if (name === undefined) {
      throw invalid(`--types: write column=type,..., each type one of ${COLUMN_TYPES.join(', ')}`);
    }
    types.set(name, type as ColumnType);
  }
  return types;
}

export interface ColumnDecision {
  column: string;
  /** `number`: whole numbers, or decimals in the form that JSON has. */
  type: ColumnType;
  /** How its numbers are written, or why a column that looks like numbers is text. */
  reason?: string;
  /** By `--types`. */
  isSet?: true;
}

/** As spreadsheets and databases write that there is no value; in a column of numbers or booleans alone. */
const MISSING = /^(?:null|na|n\/a|nan|#n\/a|\\n|-)$/i;

/** True and false of spreadsheets in several languages. All but the first are in capitals. */
const BOOLEANS = [
  ['TRUE', 'FALSE'],
  ['WAHR', 'FALSCH'],
  ['VRAI', 'FAUX'],
  ['VERDADEIRO', 'FALSO'],
  ['VERDADERO', 'FALSO'],
  ['VERO', 'FALSO'],
  ['WAAR', 'ONWAAR'],
  ['PRAWDA', 'FAŁSZ'],
  ['ИСТИНА', 'ЛОЖЬ'],
  ['DOĞRU', 'YANLIŞ'],
] as const;
const TRUE_WORDS = new Set<string>(['true', 'True', ...BOOLEANS.map(([word]) => word)]);
const FALSE_WORDS = new Set<string>(['false', 'False', ...BOOLEANS.map(([, word]) => word)]);

/** A column so named may hold versions, whose last zeros matter. */
const VERSION_NAME = /vers|release|build|firmware/i;
/** More different whole parts are amounts and not versions. */
const MOST_WHOLES = 1_000;
/** Then a column is text without a doubt, and is no longer examined. */
const CLEARLY_TEXT = 100;

/** What a column's values are, by all of them. */
export class ColumnJudge {
  readonly column: string;
  /** Whole numbers, and numbers of other forms. */
  #wholes = 0;
  #decimals = 0;
  #booleans = 0;
  #others = 0;
  #languages: readonly (readonly string[])[] = BOOLEANS;
  /** The first of each kind, as examples. */
  #other: string | undefined;
  #formula: string | undefined;
  #missing: string | undefined;
  #leadingZero: string | undefined;
  #ambiguous: string | undefined;
  #only: Record<DecimalMark, { count: number; example?: string; withFraction: boolean }> = {
    '.': { count: 0, withFraction: false },
    ',': { count: 0, withFraction: false },
  };
  #zeros = new TrailingZeros();

  constructor(column: string) {
    this.column = column;
  }

  see(cell: string): void {
    if (this.#others - this.#numbers > CLEARLY_TEXT) return;
    const text = cell.trim();
    if (text === '') return;
    if (WHOLE.test(text)) this.#wholes += 1;
    else if (isWord(text)) {
      this.#booleans += 1;
      this.#languages = this.#languages.filter((pair) => pair.includes(text.toUpperCase() as never));
    } else if (this.#seeNumber(text)) this.#decimals += 1;
    else if (MISSING.test(text)) this.#missing ??= text;
    else {
      this.#others += 1;
      this.#other ??= text;
      if (plainText(text) !== text) this.#formula ??= text;
    }
  }

  #seeNumber(text: string): boolean {
    if (!NUMERIC_START.test(text)) return false;
    const point = writtenNumber(text, '.');
    const isPoint = point !== null && !point.isGrouped && point.fraction.length !== 3 && point.fraction !== '';
    const comma = isPoint ? null : writtenNumber(text, ',');
    const either = point ?? comma;
    if (!either) return false;
    if (hasLeadingZero(either)) this.#leadingZero ??= text;
    if (point && comma) {
      if (point.isGrouped || point.fraction !== '' || comma.fraction !== '') this.#ambiguous ??= text;
    } else {
      const only = this.#only[point ? '.' : ','];
      only.count += 1;
      only.example ??= text;
      if (either.fraction !== '') only.withFraction = true;
    }
    if (point) this.#zeros.see(point);
    return true;
  }

  get #numbers(): number {
    return this.#wholes + this.#decimals;
  }

  decide(): ColumnDecision {
    const { column } = this;
    const decision = this.#decision();
    const isPlain = decision.type === 'text' || this.#missing === undefined;
    if (isPlain) return { column, ...decision };
    const left = `${this.#missing} is left out`;
    return { column, ...decision, reason: decision.reason ? `${decision.reason}; ${left}` : left };
  }

  #decision(): Decision {
    if (this.#formula !== undefined) return asText(`formulas for texts, as in ${this.#formula}`);
    if (this.#others > 0 || this.#numbers + this.#booleans === 0) return asText(this.#looksLikeNumbers());
    if (this.#booleans > 0) return this.#numbers === 0 && this.#languages.length > 0 ? { type: 'boolean' } : asText();
    if (this.#leadingZero !== undefined) return asText(`leading zeros, as in ${this.#leadingZero}`);
    const { '.': point, ',': comma } = this.#only;
    if (point.count > 0 && comma.count > 0) {
      return asText(`decimal points and decimal commas, as in ${point.example} and ${comma.example}`);
    }
    if (comma.withFraction) return { type: 'number-comma', reason: `decimal comma, as in ${comma.example}` };
    if (point.withFraction) return this.#pointOrText();
    const grouped = point.example ?? comma.example;
    if (grouped !== undefined) return asText(`digits in groups without decimals, as in ${grouped}`);
    return this.#ambiguous === undefined ? { type: 'number' } : asText(`${this.#ambiguous} can be read in two ways`);
  }

  #pointOrText(): Decision {
    const doubt = this.#zeros.doubt(this.column, this.#wholes > 0);
    if (doubt !== null) return asText(doubt);
    return { type: 'number-point', reason: `decimal point, as in ${this.#only['.'].example}` };
  }

  /** For `--types`: null when the values leave open how they are to be read. */
  numberType(): ColumnType | null {
    const { '.': point, ',': comma } = this.#only;
    if (point.count === comma.count && this.#ambiguous !== undefined) return null;
    return comma.count > point.count ? 'number-comma' : 'number-point';
  }

  /** What keeps a column of numbers, or of numbers with units, from being one. */
  #looksLikeNumbers(): string | undefined {
    const other = this.#other ?? '';
    if (this.#numbers <= this.#others && !UNIT.test(other)) return undefined;
    return `not only numbers, as in ${JSON.stringify(other.length > 30 ? `${other.slice(0, 30)}…` : other)}`;
  }
}

type Decision = Omit<ColumnDecision, 'column'>;

function asText(reason?: string): Decision {
  return { type: 'text', ...(reason !== undefined && { reason }) };
}

/** A currency, a percentage, or the short form of spreadsheets for many digits. */
const UNIT =
  /^(?=.{0,30}$)(?:.*\d.*[%\p{Sc}]|.*\p{Sc}.*\d|[A-Z]{2,3} ?-?\d[\d.,]*|-?\d[\d.,]* ?[A-Z]{3}|-?\d(?:[.,]\d+)?E[+-]?\d+)$/u;

/** The last zeros of decimals, which tell amounts (49.90) from versions (1.10). */
class TrailingZeros {
  #places = { least: Number.POSITIVE_INFINITY, most: 0 };
  /** Places of fractions that end with a zero, and one of these. */
  #zeroPlaces = new Set<number>();
  #example = '';
  #first: number | undefined;
  #differ = false;
  #wholes = new Map<string, { places: number; differ: boolean; zero: boolean }>();
  /** Such as 1.9 and 1.10. */
  #sharedWhole = false;

  see({ value, whole, fraction }: Written): void {
    const places = fraction.length;
    this.#first ??= value;
    this.#differ ||= value !== this.#first;
    this.#places.least = Math.min(this.#places.least, places);
    this.#places.most = Math.max(this.#places.most, places);
    if (fraction.endsWith('0')) {
      this.#zeroPlaces.add(fraction === '0' ? 0 : places);
      this.#example ||= `${whole}.${fraction}`;
    }
    if (places === 0 || this.#sharedWhole || this.#wholes.size > MOST_WHOLES) return;
    const known = this.#wholes.get(whole) ?? { places, differ: false, zero: false };
    this.#wholes.set(whole, known);
    known.differ ||= known.places !== places;
    known.zero ||= fraction.endsWith('0');
    this.#sharedWhole = known.differ && known.zero;
  }

  /** Null: they are numbers. */
  doubt(column: string, hasWholes: boolean): string | null {
    const { least, most } = this.#places;
    if (this.#zeroPlaces.size === 0) return null;
    const doubt = `${this.#example} may be a version or an identifier`;
    if ((!this.#differ && !hasWholes) || VERSION_NAME.test(column)) return doubt;
    const isConstant = least === most && !hasWholes;
    const isOfFloats = [...this.#zeroPlaces].every((places) => places === 0);
    if (isConstant || isOfFloats) return null;
    return this.#sharedWhole || [...this.#zeroPlaces].some((places) => places !== most) ? doubt : null;
  }
}

/** `="007"` is how spreadsheets are told that a value is text. */
export function plainText(cell: string): string {
  return cell.startsWith('="') && cell.endsWith('"') && cell.length > 2
    ? cell.slice(2, -1).replaceAll('""', '"')
    : cell;
}

/** Without a sign and leading zeros, by far the most frequent form of a number. */
const WHOLE = /^[1-9]\d{0,14}$/;
const NUMERIC_START = /^[-−.,]?\d/;
const WORD_LENGTH = 10;

function isWord(text: string): boolean {
  if (text.length > WORD_LENGTH) return false;
  return TRUE_WORDS.has(text) || FALSE_WORDS.has(text);
}

/** Undefined: the cell says that there is no value. Null: it is no value of this type. */
export function cellValue(cell: string, { type, isSet }: ColumnDecision): string | number | boolean | undefined | null {
  const plain = plainText(cell);
  if (type === 'text') return plain;
  const text = plain.trim();
  if (text === '') return undefined;
  const value = type === 'boolean' ? booleanOf(text) : numberOf(text, type, isSet === true);
  return value ?? (MISSING.test(text) ? undefined : null);
}

function numberOf(text: string, type: ColumnType, isSet: boolean): number | null {
  const written = writtenNumber(text, type === 'number-comma' ? ',' : '.');
  if (!written || (hasLeadingZero(written) && !isSet)) return null;
  const { value, fraction, isGrouped } = written;
  if (type !== 'number' || (fraction === '' && !isGrouped)) return value;
  return String(value) === text && !writtenNumber(text, ',') ? value : null;
}

function booleanOf(text: string): boolean | null {
  return TRUE_WORDS.has(text) || (FALSE_WORDS.has(text) ? false : null);
}
