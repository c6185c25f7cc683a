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
  /** What was said after the answer, and not answered. */
  after: ChatMessage[];
}

/**
 * Splits a conversation into what was asked and what was answered. The answer is the turn that `answerAt` finds; otherwise it is
 * `output`, as it is if a string and as JSON text if not.
 */
export function turnsOf(conversation: Conversation): Turns {
  const { messages, output } = conversation;
  const at = answerAt(conversation);
  if (at !== -1) return { prompt: messages.slice(0, at), answer: messages[at]!, after: messages.slice(at + 1) };
  if (!hasOutput(output)) return { prompt: messages, answer: null, after: [] };
  const answer = assistantTurn(typeof output === 'string' ? output : JSON.stringify(output));
  return { prompt: messages, answer, after: [] };
}

/**
 * Where among the messages the answer stands, -1 for none: it is the last turn of the assistant, when nothing but a user's words
 * came after it. With these, an `output` is the answer to them; without, `output` adds nothing.
 */
export function answerAt({ messages, output }: Conversation): number {
  const at = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'system');
  const last = messages[at];
  if (last?.role !== 'assistant') return -1;
  if (at === messages.length - 1) return at;
  return last.tool_calls === undefined && !hasOutput(output) ? at : -1;
}

export function hasOutput(output: unknown): boolean {
  return output !== null && output !== undefined;
}

/** The turn that stands in the answer's place; null when the reviewer corrected nothing. */
export function correctionOf({ correctedOutput }: ReviewedAnswer): ChatMessage | null {
  return correctedOutput === null ? null : assistantTurn(correctedOutput);
}

function assistantTurn(content: string): ChatMessage {
  return { role: 'assistant', content };
}
