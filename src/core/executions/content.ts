import type { ChatMessage } from '../chat/message.ts';
import type { StoredExecution } from './store.ts';

/** What was said in an execution, out of its texts. */
export function contentOf({ messages, output }: Pick<StoredExecution, 'messages' | 'output'>): {
  messages: ChatMessage[];
  output: unknown;
} {
  return { messages: JSON.parse(messages) as ChatMessage[], output: JSON.parse(output) as unknown };
}
