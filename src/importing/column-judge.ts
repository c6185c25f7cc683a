import { BOOLEANS, type ColumnDecision, type ColumnType, isWord, MISSING, plainText } from './columns.ts';
import { type DecimalMark, hasLeadingZero, type Written, writtenNumber } from './numbers.ts';

/** Without a sign and leading zeros, by far the most frequent form of a number. */
const WHOLE = /^[1-9]\d{0,14}$/;
const NUMERIC_START = /^[-−.,]?\d/;
/** Then a column is text without a doubt, and is no longer examined. */
const CLEARLY_TEXT = 100;

/** Judges the type of a column by all of its values. */
export class ColumnJudge {
  readonly column: string;
  /** Whole numbers, and numbers of other forms. */
  #wholes = 0;
  #decimals = 0;
  #booleans = 0;
  #others = 0;
  #words = new Set<string>();
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
    if (cell[0] === '=' && plainText(cell) !== cell) this.#formula ??= cell;
    if (this.#others - this.#numbers > CLEARLY_TEXT) return;
    const text = cell.trim();
    if (text === '') return;
    if (WHOLE.test(text)) this.#wholes += 1;
    else if (isWord(text)) {
      this.#booleans += 1;
      this.#words.add(text.toUpperCase());
    } else if (this.#seeNumber(text)) this.#decimals += 1;
    else if (MISSING.test(text)) this.#missing ??= text;
    else {
      this.#others += 1;
      this.#other ??= text;
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
    if (this.#formula !== undefined) return asText(`formulas for texts, as in ${shortened(this.#formula)}`);
    if (this.#others > 0 || this.#numbers + this.#booleans === 0) return asText(this.#looksLikeNumbers());
    if (this.#booleans > 0) return this.#numbers === 0 && isOneLanguage(this.#words) ? { type: 'boolean' } : asText();
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

  /** The reason why a column of numbers, or of numbers with units, is not one. */
  #looksLikeNumbers(): string | undefined {
    const other = this.#other ?? '';
    if (this.#numbers <= this.#others && !UNIT.test(other)) return undefined;
    return `not only numbers, as in ${shortened(other)}`;
  }
}

type Decision = Omit<ColumnDecision, 'column'>;

function asText(reason?: string): Decision {
  return { type: 'text', ...(reason !== undefined && { reason }) };
}

/** A currency, a percentage, or the short form of spreadsheets for many digits. */
const UNIT =
  /^(?=.{0,30}$)(?:.*\d.*[%\p{Sc}]|.*\p{Sc}.*\d|[A-Z]{2,3} ?-?\d[\d.,]*|-?\d[\d.,]* ?[A-Z]{3}|-?\d(?:[.,]\d+)?E[+-]?\d+)$/u;

function isOneLanguage(words: Set<string>): boolean {
  return BOOLEANS.some((pair: readonly string[]) => [...words].every((word) => pair.includes(word)));
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
}

/** A column so named may hold versions, whose last zeros matter. */
const VERSION_NAME = /(?:^|[^a-z])(?:ver(?:s|$|[^a-z])|release|build(?!ing)|firmware)/;
/** More different whole parts are amounts and not versions. */
const MOST_WHOLES = 1_000;
/** The last zeros of decimals, which tell amounts (49.90) from versions (1.10). */
export class TrailingZeros {
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

  /** Null if they are numbers. */
  doubt(column: string, hasWholes: boolean): string | null {
    const { least, most } = this.#places;
    if (this.#zeroPlaces.size === 0) return null;
    const doubt = `${this.#example} may be a version or an identifier`;
    const isOne = !this.#differ && !hasWholes && this.#first !== 0;
    if (isOne || VERSION_NAME.test(inWords(column))) return doubt;
    const isConstant = least === most && !hasWholes;
    const isOfFloats = [...this.#zeroPlaces].every((places) => places === 0);
    if (isConstant || isOfFloats) return null;
    return this.#sharedWhole || [...this.#zeroPlaces].some((places) => places !== most) ? doubt : null;
  }
}

function inWords(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
}
