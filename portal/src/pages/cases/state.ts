import { messageOf, statusOf } from '../../api/errors.ts';
import type { Schemas } from '../../api/schemas.ts';

export type Cases = Schemas['Cases'];

/** What a refused handle means for people; null for a failure that another try may mend. */
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

/** "87", or "The 100 with the most events, of 1,204" */
export function shownOf(shown: number, total: number): string {
  return shown < total ? `The ${shown} with the most events, of ${total.toLocaleString()}` : total.toLocaleString();
}
