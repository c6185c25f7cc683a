import type { ChatMessage } from '../chat/message.ts';
import type { StoredExecution } from './store.ts';

export function contentOf({ messages, output }: Pick<StoredExecution, 'messages' | 'output'>): {
  messages: ChatMessage[];
  output: unknown;
} {
  return { messages: JSON.parse(messages) as ChatMessage[], output: JSON.parse(output) as unknown };
}
