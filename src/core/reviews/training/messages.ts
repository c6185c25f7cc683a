import { readCall } from '../../chat/calls.ts';
import type { ChatMessage, ContentPart } from '../../chat/message.ts';
import { argumentsOf } from './calls.ts';

/*
 * A turn in each form. The vendors' forms are for conversations whose shape says that they can be expressed. Members that are
 * undefined are not written.
 */

/** A turn as it was recorded. */
export function recordedMessage({ role, content, tool_calls, tool_call_id, name }: ChatMessage) {
  return { role, content: content ?? undefined, tool_calls, tool_call_id, name };
}

/** A turn for OpenAI's fine-tuning, which knows a name on every message but the tool's. */
export function openAiMessage({ role, content, tool_calls: calls, tool_call_id, name }: ChatMessage) {
  if (role === 'tool') return { role, tool_call_id, content: plain(content) };
  return { role, content: plain(content), name, tool_calls: calls?.map(openAiCall) };
}

/** A turn for TRL, whose tool messages are named and whose calls hold their arguments as an object. */
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

/**
 * Text in parts is written as one string, put together as chat templates do: OpenAI's fine-tuning takes only a string of a tool,
 * and a column of a data set is either strings or lists. Parts with images stay as they are.
 */
function plain(content: ChatMessage['content']): string | ContentPart[] | undefined {
  if (typeof content === 'string') return content;
  if (content === null) return undefined;
  const texts = content.filter((part) => part.type === 'text').map(({ text }) => text);
  return texts.length === content.length ? texts.join('') : content;
}
