import type { ChatMessage } from '../../chat/message.ts';
import type { Rating } from '../fields.ts';

/** A recorded execution: the conversation so far, with or without its final assistant turn, and the result. */
export interface Conversation {
  messages: ChatMessage[];
  /** A string, any other JSON value, or null or undefined for none. */
  output: unknown;
}

/** What the export knows of one review and its recorded execution. */
export interface ReviewedAnswer {
  reviewId: string;
  executionId: string;
  rating: Rating;
  correctedOutput: string | null;
  /** Null when the execution was not recorded. */
  conversation: Conversation | null;
}

/** A conversation in its normal form. */
export interface Turns {
  /** Every message before the answer. */
  prompt: ChatMessage[];
  answer: ChatMessage | null;
}

/**
 * Splits a conversation into what was asked and what was answered. The answer is the last message if that is an assistant turn,
 * and then `output` adds nothing; otherwise it is `output`, as it is if a string and as JSON text if not.
 */
export function turnsOf({ messages, output }: Conversation): Turns {
  const last = messages.at(-1);
  if (last?.role === 'assistant') return { prompt: messages.slice(0, -1), answer: last };
  if (output === null || output === undefined) return { prompt: messages, answer: null };
  return { prompt: messages, answer: assistantTurn(typeof output === 'string' ? output : JSON.stringify(output)) };
}

/** The turn that stands in the answer's place; null when the reviewer corrected nothing. */
export function correctionOf({ correctedOutput }: ReviewedAnswer): ChatMessage | null {
  return correctedOutput === null ? null : assistantTurn(correctedOutput);
}

function assistantTurn(content: string): ChatMessage {
  return { role: 'assistant', content };
}
