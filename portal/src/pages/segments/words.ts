import type { Schemas } from '../../api/schemas.ts';
import { where } from '../../question/filters/words.ts';
import { rangeOf, rangeWords } from '../../question/state/range.ts';

type Condition = Schemas['Segment']['conditions'][number];

/** "At least 2 order_paid events where country is de, last 30 days" */
export function conditionInWords({ eventName, filters, atLeast = 1, dateFrom, dateTo }: Condition): string {
  const events = `At least ${atLeast.toLocaleString()} ${eventName} ${atLeast === 1 ? 'event' : 'events'}`;
  const range = rangeWords(rangeOf({ dateFrom, dateTo }));
  return `${events}${where(filters)}${range === null ? '' : `, ${range}`}`;
}
