import { messageOf } from '../../../api/errors.ts';
import type { SendOutcome } from './queue.ts';

interface Answer {
  status: number;
  text: string;
  retryAfter: string | null;
}

const DEFAULT_SECONDS = 5;

/** The meaning of an answer to an upload. Only answers that name a time ask to be asked again. */
export function outcomeOf({ status, text, retryAfter }: Answer): SendOutcome {
  const body = bodyOf(text);
  if (status === 202) return { state: 'sent', notes: (body as { notes?: string[] } | null)?.notes ?? [] };
  if ((status === 503 || status === 429) && retryAfter !== null) {
    return { state: 'busy', seconds: Number(retryAfter) || DEFAULT_SECONDS };
  }
  if (status === 408) return { state: 'broken' };
  return { state: 'refused', message: messageOf(body) };
}

/** Null for an answer that is not of the server, such as a proxy's page. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
