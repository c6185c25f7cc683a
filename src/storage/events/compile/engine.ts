import type { Scalar } from '../../../core/analytics/events/predicates.ts';

/** SQL by type, NULL for values of other types; null: no event has that type. */
export interface PropertySql {
  text: string | null;
  number: string | null;
  boolean: string | null;
  /** JSON text of a list or an object. */
  container: string | null;
  /** The whole value, equal only for equal values, NULL for an absent one. */
  value: string;
  valueType: ValueType;
}

/** `mixed`: values of several types, in a form of the engine. */
export type ValueType = 'text' | 'number' | 'boolean' | 'mixed';

export const ABSENT: PropertySql = {
  text: null,
  number: null,
  boolean: null,
  container: null,
  value: 'NULL',
  valueType: 'text',
};

/** The SQL in which two engines differ. Conditions may be NULL instead of false. */
export interface EngineSql<Property extends PropertySql = PropertySql> {
  /** Constants. No text of a client gets into a statement as it is (decision 0026). */
  text(value: string): string;
  number(value: number): string;
  integer(value: number): string;
  noText: string;
  noNumber: string;
  isOneOf(column: string, values: string[] | number[]): string;
  contains(text: string, part: string): string;
  startsWith(text: string, start: string, options: { anyCase: boolean }): string;
  matches(text: string, pattern: string): string;
  /** A condition; null if no event has a list there. */
  listContains(property: Property, value: Scalar): string | null;
  /** Reads JSON for a condition on text only where `text` occurs in any form. */
  prefiltered(property: Property, text: string, condition: string): string;
  /** The first day of a month, a quarter or a year as a bucket key; `local` likewise. */
  startOf(unit: 'month' | 'quarter' | 'year', local: string): string;
  /** A sum of doubles without their rounding errors. */
  exactSum(number: string): string;
  /** A list of percentiles, in the order of the fractions. */
  percentiles(number: string, fractions: number[]): string;
  /** Numbers, then text, absent values last; the direction applies within each type. */
  orderBy(column: string, type: ValueType, descending: boolean): string;
  /**
   * The text shown for a group: the beginning of a long text with its length and a digest, so that
   * two texts that begin alike stay two groups.
   */
  shortened(column: string, type: ValueType, maxText: number): string;
  asMixed(column: string, type: ValueType): string;
  /** JSON text of a mixed value. */
  jsonOf(mixed: string): string;
  /** The value that a column of this type shows. */
  decoded(value: unknown, type: ValueType): unknown;
  /** A value of a column as the engine returned it, as a constant. */
  constant(stored: unknown, type: ValueType): string;
  /** A table of constants with the named columns. */
  table(rows: string[][], columns: { name: string; type: ValueType }[]): string;
}
