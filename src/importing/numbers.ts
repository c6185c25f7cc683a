export type DecimalMark = '.' | ',';

/** A number as spreadsheets write it. */
export interface Written {
  value: number;
  /** Digits behind the decimal mark. */
  fraction: string;
  whole: string;
  isGrouped: boolean;
}

const SPACES = ' \u00a0\u202f';

function shape(mark: DecimalMark, other: string): RegExp {
  const groups = `([1-9]\\d{0,2})([${other}'’${SPACES}])(\\d{3}(?:\\3\\d{3})*)`;
  return new RegExp(`^([-−]?)(?:${groups}|(\\d+))?(?:\\${mark}(\\d+))?$`);
}
const SHAPES = { '.': shape('.', ','), ',': shape(',', '.') };

/** By far the most frequent: few digits, no groups. */
const FEW_DIGITS = /^-?\d{1,15}(?:\.\d{1,14})?$/;
/**
 * The form in which programs write very large and small numbers. Spreadsheets write `1.5E+12`,
 * which has lost digits.
 */
const EXPONENT = /^-?\d(?:\.\d+)?e[+-]\d{1,3}$/;
/** Every decimal number with so many digits survives a double. */
const SAFE_DIGITS = 15;

/** Null for a text that is no number, or one with more digits than a number keeps. */
export function writtenNumber(text: string, mark: DecimalMark): Written | null {
  if (mark === '.' && text.length <= SAFE_DIGITS && FEW_DIGITS.test(text)) return fewDigits(text);
  const found = SHAPES[mark].exec(text);
  if (!found) return mark === '.' ? exponential(text) : null;
  const [, sign, first = '', separator, rest = '', plain, fraction = ''] = found;
  const whole = plain ?? first + rest.replaceAll(separator ?? ' ', '');
  if (whole === '' && fraction === '') return null;
  const digits = `${whole || '0'}${fraction && `.${fraction}`}`;
  const value = Number(sign ? `-${digits}` : digits);
  const significant = (whole + fraction).replace(/^0+/, '').replace(fraction === '' ? '' : /0+$/, '').length;
  if (significant > SAFE_DIGITS && String(Math.abs(value)) !== digits) return null;
  if (!isExact(value)) return null;
  return { value, fraction, whole, isGrouped: separator !== undefined };
}

function fewDigits(text: string): Written {
  const point = text.indexOf('.');
  const fraction = point === -1 ? '' : text.slice(point + 1);
  const whole = text.slice(text[0] === '-' ? 1 : 0, point === -1 ? undefined : point);
  return { value: Number(text), fraction, whole, isGrouped: false };
}

function exponential(text: string): Written | null {
  const value = EXPONENT.test(text) ? Number(text) : Number.NaN;
  return isExact(value) ? { value, fraction: '1', whole: text[0]!, isGrouped: false } : null;
}

/** Events hold no whole number beyond 2^53. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** `007` is an identifier; `0.7` is not. */
export function hasLeadingZero({ whole }: Written): boolean {
  return whole.length > 1 && whole[0] === '0';
}
