import { invalid } from '../core/base/shared/errors.ts';
import { hasLeadingZero, writtenNumber } from './numbers.ts';

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

/**
 * Values that spreadsheets and databases write where there is none; only in a column of numbers or
 * booleans.
 */
export const MISSING = /^(?:null|na|n\/a|nan|#n\/a|\\n|-)$/i;

/** True and false of spreadsheets in several languages. All but the first are in capitals. */
export const BOOLEANS = [
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

/** `="007"` is how spreadsheets are told that a value is text. */
export function plainText(cell: string): string {
  const quoted = cell[0] === '=' ? /^="((?:[^"]|"")*)"$/.exec(cell)?.[1] : undefined;
  return quoted === undefined ? cell : quoted.replaceAll('""', '"');
}

const WORD_LENGTH = 10;

/** True or false in one of the languages. */
export function isWord(text: string): boolean {
  if (text.length > WORD_LENGTH) return false;
  return TRUE_WORDS.has(text) || FALSE_WORDS.has(text);
}

/** Undefined if the cell says that there is no value; null if it is no value of this type. */
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
