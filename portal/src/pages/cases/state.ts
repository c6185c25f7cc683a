import { messageOf, statusOf } from '../../api/errors.ts';
import type { Schemas } from '../../api/schemas.ts';

export type Cases = Schemas['CaseEvents'];
type Totals = Pick<Cases, 'total' | 'totalThreads' | 'totalExecutions'>;

/** The meaning of a refused handle, for people; null for a failure that another try may mend. */
export function faultOf(error: unknown): { title: string; text: string } | null {
  switch (statusOf(error)) {
    case 400:
    case 404:
      return {
        title: 'This address is not complete',
        text: 'A part of it was cut off or changed. Open the link again from the answer, the card or the message that has it.',
      };
    case 403:
      return {
        title: 'You may not see these events',
        text: `An administrator can give you the right. ${messageOf(error)}`,
      };
    default:
      return null;
  }
}

/** "1,204 events in 87 threads and 2 executions" */
export function totalsInWords({ total, totalThreads, totalExecutions }: Totals, locale?: string): string {
  const counted = (count: number, noun: string) => `${count.toLocaleString(locale)} ${noun}${count === 1 ? '' : 's'}`;
  const within = [
    ...(totalThreads > 0 ? [counted(totalThreads, 'thread')] : []),
    ...(totalExecutions > 0 ? [counted(totalExecutions, 'execution')] : []),
  ];
  return [counted(total, 'event'), ...(within.length > 0 ? [within.join(' and ')] : [])].join(' in ');
}
