import { messageOf, statusOf } from '../../api/errors.ts';
import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { conjunction } from '../../question/words/words.ts';

export type Cases = Schemas['CaseEvents'];
type Totals = Pick<Cases, 'total' | 'totalThreads' | 'totalExecutions'>;

/** The meaning of a refused handle, for people; null for a failure that another try may mend. */
export function faultOf(error: unknown): { title: string; text: string } | null {
  switch (statusOf(error)) {
    case 400:
    case 404:
      return {
        title: t('This address is not complete'),
        text: t(
          'A part of it was cut off or changed. Open the link again from the answer, the card or the message that has it.',
        ),
      };
    case 403:
      return {
        title: t('You may not see these events'),
        text: t('An administrator can give you the right. {message}', { message: messageOf(error) }),
      };
    default:
      return null;
  }
}

/** "1,204 events in 87 threads and 2 executions" */
export function totalsInWords({ total, totalThreads, totalExecutions }: Totals): string {
  const events = t.count(total, '{count} event', '{count} events');
  const within = [
    ...(totalThreads > 0 ? [t.count(totalThreads, '{count} thread', '{count} threads')] : []),
    ...(totalExecutions > 0 ? [t.count(totalExecutions, '{count} execution', '{count} executions')] : []),
  ];
  return within.length === 0 ? events : t('{events} in {places}', { events, places: conjunction(within) });
}
