import type { Schemas } from '../../api/schemas.ts';
import { conditions, where } from '../../question/filters/words.ts';
import { SPLIT } from '../../question/state/explain.ts';
import { AGGREGATIONS, labelOf } from '../../question/words/words.ts';

type Formula = Schemas['Metric']['formula'];
export type MeasureDefinition = Extract<Formula, { eventName: string }>;
export type FormulaDefinition = Extract<Formula, { expression: string }>;

export const isFormula = (formula: Formula): formula is FormulaDefinition => 'expression' in formula;

/** "Sum of amount, of order_paid where country is de" */
export function measureInWords(measure: MeasureDefinition | FormulaDefinition['parts'][string]): string {
  const { eventName, aggregation, propertyKey, filters } = measure;
  const of = `${eventName}${where(filters)}`;
  if (aggregation === 'rate') {
    const { numerator } = measure as MeasureDefinition;
    const counted = numerator?.eventName;
    if (counted !== undefined) return `${counted}${where(numerator?.filters)} per ${of}`;
    return `Share of ${of} with ${conditions(numerator?.filters).join(' and ')}`;
  }
  if (aggregation === 'count') {
    const having = propertyKey === undefined ? '' : ` with ${propertyKey}`;
    return `Number of ${eventName} events${having}${where(filters)}`;
  }
  return `${labelOf(AGGREGATIONS, aggregation)} ${propertyKey}, of ${of}`;
}

export const DIRECTIONS = [
  { value: 'none', label: 'Neither' },
  { value: 'up', label: 'A rise is good' },
  { value: 'down', label: 'A fall is good' },
] as const;

/** Whether a change in this direction is good; null if it is neither. */
export function isGood(direction: Schemas['Metric']['goodDirection'], change: number): boolean | null {
  if (direction === 'none' || change === 0) return null;
  return (direction === 'up') === change > 0;
}

/** True if the change of its value can be split among groups. */
export function canBeExplained(formula: Formula): boolean {
  if (!isFormula(formula)) return SPLIT.includes(formula.aggregation);
  return Object.values(formula.parts).every(({ aggregation }) => aggregation === 'count' || aggregation === 'sum');
}
