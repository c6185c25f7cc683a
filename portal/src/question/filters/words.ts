import { t } from '../../language/index.ts';
import { conjunction, labelOf, OPERATORS, takesNoValue } from '../words/words.ts';
import { type FilterRow, isComplete, rowsOf } from './filters.ts';

/** " where country is de and plan is pro"; empty without filters. */
export function where(filters: unknown): string {
  const words = conditions(filters);
  return words.length === 0 ? '' : ` ${t('where {conditions}', { conditions: conjunction(words) })}`;
}

/** "country is de" for each filter. */
export function conditions(filters: unknown): string[] {
  return rowsOf(filters).filter(isComplete).map(conditionOf);
}

function conditionOf({ propertyKey, operator, values }: FilterRow): string {
  const condition = `${propertyKey} ${labelOf(OPERATORS, operator)}`;
  return takesNoValue(operator) ? condition : `${condition} ${values.map(({ text }) => text).join(', ')}`;
}
