import { type ChatMessage, type ContentPart, readCall } from './message.ts';

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
    if (part.type !== 'text' && role !== 'user') return [`${path}: images and files are for user messages alone`];
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
