import { jsonBytes } from '../../analytics/events/questions/fit.ts';
import { type ChatMessage, readCall } from '../chat/message.ts';
import { cutText } from './cut.ts';
import type { Execution } from './schema.ts';
import type { ShownMessage } from './tools-schema.ts';

/** Bytes of the messages of an answer, as JSON. */
const MESSAGES_BYTES = 16 * 1024;
/** Sizes of a message beside others, and of one that was asked for. */
const SHORT = { characters: 2_000, bytes: 4 * 1024 };
const LONG = { characters: MESSAGES_BYTES, bytes: MESSAGES_BYTES };

interface Said {
  role: string;
  text: string;
}

interface ShownMessages {
  messages: ShownMessage[];
  notes: string[];
}

/**
 * The first messages and the output; or from a message on: that one from the offset, and others
 * after it. The output stands after the last message.
 */
export function messagesFor(
  { messages, output }: Pick<Execution, 'messages' | 'output'>,
  { from, offset }: { from: number | undefined; offset: number },
): ShownMessages {
  const said = [...messages.map(saidIn), ...(output === null ? [] : [{ role: 'output', text: textOrJson(output) }])];
  if (from !== undefined && from >= said.length) {
    return { messages: [], notes: [`There are ${said.length} messages, from 0 on.`] };
  }
  const ends = from === undefined && output !== null ? [shown(said, said.length - 1)] : [];
  const shownMessages: ShownMessage[] = [];
  let bytes = jsonBytes(ends);
  for (let index = from ?? 0; index < said.length - ends.length; index += 1) {
    const message = index === from ? shown(said, index, LONG, offset) : shown(said, index);
    bytes += jsonBytes(message) + 1;
    if (bytes > MESSAGES_BYTES && shownMessages.length > 0) break;
    shownMessages.push(message);
  }
  const next = (from ?? 0) + shownMessages.length;
  const isCut = [...shownMessages, ...ends].some(({ leftOut }) => leftOut !== undefined);
  return {
    messages: [...shownMessages, ...ends],
    notes: [
      ...(next < said.length - ends.length
        ? [
            `Messages ${next} to ${said.length - 1 - ends.length} of ${said.length} are left out; go on with messagesFrom ${next}.`,
          ]
        : []),
      ...(isCut ? ['A message with leftOut goes on with messagesFrom its index and offset its nextOffset.'] : []),
    ],
  };
}

function shown(said: Said[], index: number, size = SHORT, offset = 0): ShownMessage {
  const { role, text } = said[index]!;
  return { index, role, ...cutText(text, offset, size) };
}

function saidIn({ role, content, tool_calls: calls = [], name }: ChatMessage): Said {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map(partText);
  return { role: name === undefined ? role : `${role} ${name}`, text: [...parts, ...calls.map(callText)].join('\n') };
}

function partText(part: Exclude<ChatMessage['content'], string | null>[number]): string {
  if (part.type === 'text') return part.text;
  return part.type === 'file' ? `[file ${part.file.filename}]` : `[image ${part.image_url.url.slice(0, 200)}]`;
}

function callText(recorded: Record<string, unknown>): string {
  const call = readCall(recorded);
  return call ? `[calls ${call.name}(${call.arguments}) #${call.id}]` : `[calls ${JSON.stringify(recorded)}]`;
}

/** A text as it is, any other value as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
