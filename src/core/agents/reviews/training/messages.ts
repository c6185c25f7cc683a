import { type ChatMessage, type ContentPart, readCall } from '../../chat/message.ts';
import { argumentsOf } from './calls.ts';

export function recordedMessage({ role, content, tool_calls, tool_call_id, name }: ChatMessage) {
  return { role, content: content ?? undefined, tool_calls, tool_call_id, name };
}

/** OpenAI's fine-tuning accepts a name on every message except tool messages. */
export function openAiMessage({ role, content, tool_calls: calls, tool_call_id, name }: ChatMessage) {
  if (role === 'tool') return { role, tool_call_id, content: plain(content) };
  return { role, content: plain(content), name, tool_calls: calls?.map(openAiCall) };
}

/** TRL's tool messages have names, and its calls have their arguments as an object. */
export function trlMessage({ role, content, tool_calls: calls, tool_call_id, name }: ChatMessage) {
  if (role === 'tool') return { role, name, tool_call_id, content: plain(content) };
  return { role, content: plain(content), tool_calls: calls?.map(trlCall) };
}

function openAiCall(recorded: Record<string, unknown>) {
  const { id, name, arguments: text } = readCall(recorded)!;
  return { id, type: 'function', function: { name, arguments: text } };
}

function trlCall(recorded: Record<string, unknown>) {
  const { id, name, arguments: text } = readCall(recorded)!;
  return { id, type: 'function', function: { name, arguments: argumentsOf(text) } };
}

/** OpenAI accepts only strings from tools; a data set's column has either strings or lists. */
function plain(content: ChatMessage['content']): string | ContentPart[] | undefined {
  if (typeof content === 'string') return content;
  if (content === null) return undefined;
  const texts = content.filter((part) => part.type === 'text').map(({ text }) => text);
  return texts.length === content.length ? texts.join('') : content;
}
