import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { conditions, where } from '../../question/filters/words.ts';
import { SPLIT } from '../../question/state/explain.ts';
import { AGGREGATIONS, conjunction, labelOf } from '../../question/words/words.ts';

type Formula = Schemas['Metric']['formula'];
export type MeasureDefinition = Extract<Formula, { eventName: string }>;
export type FormulaDefinition = Extract<Formula, { expression: string }>;

export const isFormula = (formula: Formula): formula is FormulaDefinition => 'expression' in formula;

/** "Sum of amount, of order_paid where country is de" */
export function measureInWords(measure: MeasureDefinition | FormulaDefinition['parts'][string]): string {
  const { eventName, aggregation, propertyKey, filters } = measure;
  const events = `${eventName}${where(filters)}`;
  if (aggregation === 'rate') {
    const { numerator } = measure as MeasureDefinition;
    if (numerator?.eventName !== undefined)
      return t('{counted} per {events}', { counted: `${numerator.eventName}${where(numerator.filters)}`, events });
    return t('Share of {events} with {conditions}', {
      events,
      conditions: conjunction(conditions(numerator?.filters)),
    });
  }
  if (aggregation === 'count') {
    const count =
      propertyKey === undefined
        ? t('Number of {eventName} events', { eventName })
        : t('Number of {eventName} events with {property}', { eventName, property: propertyKey });
    return `${count}${where(filters)}`;
  }
  const computed = `${labelOf(AGGREGATIONS, aggregation)} ${propertyKey}`;
  return t('{computed}, of {events}', { computed, events });
}

export const DIRECTIONS = [
  { value: 'none', label: t('Neither') },
  { value: 'up', label: t('A rise is good') },
  { value: 'down', label: t('A fall is good') },
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
