import { z } from 'zod';
import { freeObject } from '../../base/shared/json.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';

export const CHAT_ROLES = ['system', 'user', 'assistant', 'tool'] as const;

const text = z
  .string()
  .refine((value) => value.isWellFormed(), 'contains a lone surrogate, which is not valid Unicode');

export const contentPartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('Text.'), text: text.describe('The text.') }),
  z.strictObject({
    type: z.literal('image_url').describe('An image.'),
    image_url: z
      .strictObject({
        url: text.min(1, 'must not be empty').describe('An address or a data: URL.'),
        detail: z.enum(['auto', 'low', 'high']).optional().describe('Level of detail.'),
      })
      .describe('Where it is.'),
  }),
  z.strictObject({
    type: z.literal('file').describe('A file.'),
    file: z
      .strictObject({
        filename: text
          .min(1, 'must not be empty')
          .max(255, 'must have at most 255 characters')
          .describe('The name of the file.'),
        file_data: text.min(1, 'must not be empty').describe('A data: URL, or base64.'),
      })
      .describe('What is in it.'),
  }),
]);
responseSchemas.add(contentPartSchema, { id: 'ContentPart' });
requestSchemas.add(contentPartSchema, { id: 'ContentPart' });
export type ContentPart = z.output<typeof contentPartSchema>;

function roleProblem(role: unknown): string {
  const roles = `must be one of ${CHAT_ROLES.join(', ')}`;
  return role === 'developer' ? `${roles}; developer is system here` : roles;
}

export const chatMessageSchema = z
  .strictObject({
    role: z.enum(CHAT_ROLES, { error: ({ input }) => roleProblem(input) }).describe('Who speaks.'),
    content: z
      .union([text, z.array(contentPartSchema).min(1, 'must hold at least one part'), z.null()], {
        error: 'must be a string, an array of content parts, or null beside tool_calls',
      })
      .describe('Text, or parts; null only beside tool_calls.'),
    tool_calls: z
      .array(freeObject().meta({ type: 'object', additionalProperties: true }))
      .min(1)
      .optional()
      .describe('Calls of functions; only on assistant messages.'),
    reasoning_content: text
      .optional()
      .describe('The reasoning before an assistant message, for custom servers that want it back.'),
    tool_call_id: text.optional().describe('The call that a tool message answers.'),
    name: text.optional().describe('The name of the tool, on tool messages.'),
  })
  .superRefine(({ role, content, tool_calls: calls }, context) => {
    if (content === null && calls === undefined) {
      context.addIssue({ code: 'custom', path: ['content'], message: 'is null; only a message with tool_calls may' });
    }
    if (calls !== undefined && role !== 'assistant') {
      context.addIssue({ code: 'custom', path: ['tool_calls'], message: 'is only for assistant messages' });
    }
  });
responseSchemas.add(chatMessageSchema, { id: 'ChatMessage' });
requestSchemas.add(chatMessageSchema, { id: 'ChatMessage' });
export type ChatMessage = z.output<typeof chatMessageSchema>;

/** A content of null has none. */
export function textsOf(content: ChatMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** OpenAI's form: `arguments` is text that should be JSON. */
export interface FunctionCall {
  id: string;
  name: string;
  arguments: string;
}

export function readCall({ id, type, function: called }: Record<string, unknown>): FunctionCall | null {
  if (typeof id !== 'string' || type !== 'function' || typeof called !== 'object' || called === null) return null;
  const { name, arguments: text } = called as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string' ? { id, name, arguments: text } : null;
}

/** Content parts and tool calls of a conversation, in all. */
const MAX_ITEMS = 20_000;

export function chatMessagesSchema(maximum: number) {
  return z.preprocess(
    (value, context) => {
      if (!Array.isArray(value) || value.reduce(addItems, 0) <= MAX_ITEMS) return value;
      const message = `must hold at most ${MAX_ITEMS.toLocaleString('en')} content parts and tool calls together`;
      context.addIssue({ code: 'custom', message, input: undefined });
      return z.NEVER;
    },
    z
      .array(chatMessageSchema, 'must be an array of messages')
      .max(maximum, `must hold at most ${maximum.toLocaleString('en')} messages`),
  );
}

function addItems(items: number, message: unknown): number {
  const { content, tool_calls: calls } = (message ?? {}) as Record<string, unknown>;
  return [content, calls].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), items);
}

export interface DataUrl {
  mediaType: string;
  base64: string;
}

/** Bounded: a million parameters would overflow the regex engine's stack. */
const DATA_URL = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})?(?:;[\w-]{1,100}=[\w.-]{1,100}){0,10};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function readDataUrl(url: string): DataUrl | null {
  const [head, mediaType = 'application/octet-stream'] = DATA_URL.exec(url) ?? [];
  if (head === undefined) return null;
  const base64 = url.slice(head.length);
  return isBase64(base64) ? { mediaType: mediaType.toLowerCase(), base64 } : null;
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && BASE64.test(text);
}

/** One message, beginning with its path, per problem that no provider could handle. */
export function conversationProblems(messages: readonly ChatMessage[]): string[] {
  return [...callProblems(messages), ...messages.flatMap(contentProblems)];
}

/** Each call needs exactly one answer, directly after it. */
function callProblems(messages: readonly ChatMessage[]): string[] {
  const problems: string[] = [];
  let open = new Map<string, string>();
  const closeTurn = () => {
    for (const path of open.values()) problems.push(`${path}: is not answered by a tool message that follows it`);
    open = new Map();
  };
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'tool') {
      problems.push(...answerProblem(message, path, open));
      continue;
    }
    closeTurn();
    for (const [position, recorded] of (message.tool_calls ?? []).entries()) {
      const at = `${path}.tool_calls[${position}]`;
      const call = readCall(recorded);
      if (!call)
        problems.push(`${at}: must be {id, type: "function", function: {name, arguments}}, arguments being text`);
      else if (open.has(call.id)) problems.push(`${at}.id: is the same as that of another call`);
      else open.set(call.id, at);
    }
  }
  closeTurn();
  return problems;
}

function answerProblem({ tool_call_id: id }: ChatMessage, path: string, open: Map<string, string>): string[] {
  if (id === undefined) return [`${path}.tool_call_id: is required on tool messages`];
  return open.delete(id) ? [] : [`${path}.tool_call_id: answers no call of the assistant message before it`];
}

function contentProblems({ role, content }: ChatMessage, index: number): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, position) => {
    const path = `messages[${index}].content[${position}]`;
    if (part.type !== 'text' && role !== 'user') return [`${path}: only user messages may have images and files`];
    const problem = partProblem(part);
    return problem === null ? [] : [`${path}.${problem}`];
  });
}

function partProblem(part: ContentPart): string | null {
  if (part.type === 'text') return null;
  if (part.type === 'file') {
    const { file_data: data } = part.file;
    if (readDataUrl(data) || isBase64(data)) return null;
    return 'file.file_data: must be base64, or a data: URL in base64';
  }
  const { url } = part.image_url;
  if (url.startsWith('data:')) {
    return readDataUrl(url)?.mediaType.startsWith('image/') ? null : 'image_url.url: must be an image in base64';
  }
  return isWebAddress(url) ? null : 'image_url.url: must be an http or https address, or a data: URL';
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
