import { t } from '../../language/index.ts';
import { type Format, isDocument } from './formats.ts';

/** Where the examples of a document begin. */
const LIST = '"training_examples":[';

/** The whole examples in the beginning of an export, as they are written. */
export function examplesIn(text: string, format: Format): string[] {
  return isDocument(format) ? objectsIn(text) : text.split('\n').slice(0, -1);
}

function objectsIn(text: string): string[] {
  const start = text.indexOf(LIST);
  if (start === -1) return [];
  const found: string[] = [];
  let [depth, from, isInText] = [0, 0, false];
  for (let at = start + LIST.length; at < text.length; at++) {
    const character = text[at]!;
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{') {
      if (depth === 0) from = at;
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) found.push(text.slice(from, at + 1));
    } else if (character === ']' && depth === 0) break;
  }
  return found;
}

export const PREVIEWED = 5;
/** A preview reads no more characters. */
const MOST_CHARACTERS = 500_000;

export interface Preview {
  /** The first examples as they are written. */
  examples: string[];
  /** True if the next example is longer than a preview reads. */
  isCut: boolean;
}

/** Reads the first examples and cancels the rest. */
export async function previewOf(body: ReadableStream<Uint8Array>, format: Format): Promise<Preview> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      text += value;
      const examples = examplesIn(text, format).slice(0, PREVIEWED);
      if (done || examples.length === PREVIEWED) return { examples, isCut: false };
      if (text.length > MOST_CHARACTERS) return { examples, isCut: true };
    }
  } finally {
    await reader.cancel();
  }
}

/** A message of an example, in words. */
export interface Turn {
  who: string;
  text: string;
}

export const SPEAKERS: Readonly<Record<string, string>> = {
  system: t('System|a speaker'),
  user: t('User'),
  assistant: t('Assistant'),
  tool: t('Tool'),
};

/** An example of any format for people; none for a text that is no example. */
export function turnsOf(example: string): Turn[] {
  const read = membersOf(parsed(example));
  const input = membersOf(read.input);
  const label = read.label === true ? t('Answer, labelled good') : t('Answer, labelled bad');
  return [
    ...turnsIn(read.messages),
    ...turnsIn(input.messages),
    ...turnsIn(read.prompt),
    ...turnsIn(read.preferred_output, t('Preferred answer')),
    ...turnsIn(read.non_preferred_output, t('Other answer')),
    ...turnsIn(read.completion, label),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function turnsIn(messages: unknown, who?: string): Turn[] {
  if (!Array.isArray(messages)) return [];
  return messages.map((message) => {
    const { role, weight, content, tool_calls: calls } = membersOf(message);
    const speaker = SPEAKERS[String(role)] ?? String(role);
    const text = [textOf(content), ...(Array.isArray(calls) ? calls.map(callText) : [])].filter(Boolean).join('\n');
    return { who: who ?? (weight === 0 ? t('{speaker}, not taught', { speaker }) : speaker), text };
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => partText(membersOf(part))).join('\n');
}

function partText({ type, text, image_url: image }: Record<string, unknown>): string {
  if (typeof text === 'string') return text;
  const url = membersOf(image).url;
  return typeof url === 'string' && !url.startsWith('data:') ? t('[image {url}]', { url }) : `[${String(type)}]`;
}

function callText(call: unknown): string {
  const { name, arguments: given } = membersOf(membersOf(call).function);
  return t('Calls {call}', { call: `${String(name)}(${typeof given === 'string' ? given : JSON.stringify(given)})` });
}

/** A text that may be long, with the number of characters that are not shown. */
export function cut(text: string, most: number): string {
  const hidden = text.length - most;
  if (hidden <= 0) return text;
  const beginning = firstCharacters(text, most);
  return t.count(hidden, '{beginning} … and {count} more character', '{beginning} … and {count} more characters', {
    beginning,
  });
}

export function firstCharacters(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}
