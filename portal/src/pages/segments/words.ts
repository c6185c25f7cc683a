import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { where } from '../../question/filters/words.ts';
import { rangeOf, rangeWords } from '../../question/state/range.ts';

type Condition = Schemas['Segment']['conditions'][number];

/** "At least 2 order_paid events where country is de, last 30 days" */
export function conditionInWords({ eventName, filters, atLeast = 1, dateFrom, dateTo }: Condition): string {
  const events = t.count(atLeast, 'At least {count} {eventName} event', 'At least {count} {eventName} events', {
    eventName,
  });
  const range = rangeWords(rangeOf({ dateFrom, dateTo }));
  return `${events}${where(filters)}${range === null ? '' : `, ${range}`}`;
}
