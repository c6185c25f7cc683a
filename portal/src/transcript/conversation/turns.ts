import { t } from '../../language/index.ts';
import { prettyJson, valueText } from '../json.ts';
import { lineOf } from '../text.ts';
import { isMembers, type Message } from './messages.ts';
import { type Part, partsOf } from './parts.ts';

/** A message as people read it: the results of its tool calls stand beside the calls. */
export interface Turn {
  /** Its place in the messages. */
  index: number;
  role: string;
  /** Who speaks, where a role has several. */
  name: string | null;
  reasoning: string | null;
  parts: Part[];
  calls: Call[];
}

export interface Call {
  name: string;
  /** The beginning of the arguments in one line. */
  summary: string;
  arguments: string;
  /** False if what the model wrote is not JSON. */
  isJson: boolean;
  /** Null if no result was recorded. */
  result: Part[] | null;
}

/** The turns of a conversation. A result whose call is missing is a turn of its own. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  /** The last call of each id that has no result yet: ids may be used again in a later turn. */
  const open = new Map<string, Call>();
  for (const [index, message] of messages.entries()) {
    const call = message.role === 'tool' ? open.get(keyOf(message.tool_call_id)) : undefined;
    if (call) {
      call.result = partsOf(message.content);
      open.delete(keyOf(message.tool_call_id));
    } else {
      turns.push(turnOf(message, index, open));
    }
  }
  return turns;
}

function turnOf(message: Message, index: number, open: Map<string, Call>): Turn {
  const { role, name, content, reasoning_content: reasoning } = message;
  const recorded = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const calls = recorded.map((one) => {
    const call = callOf(one);
    if (isMembers(one) && one.id !== undefined) open.set(keyOf(one.id), call);
    return call;
  });
  return {
    index,
    role,
    name: typeof name === 'string' && name !== '' ? name : null,
    reasoning: typeof reasoning === 'string' && reasoning !== '' ? reasoning : null,
    parts: partsOf(content),
    calls,
  };
}

/** An id is whatever a client sent: an object may have no text of its own. */
function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

function callOf(recorded: unknown): Call {
  const called = isMembers(recorded) && isMembers(recorded.function) ? recorded.function : recorded;
  if (!isMembers(called) || typeof called.name !== 'string') {
    const json = valueText(recorded);
    return { name: t('Unknown call'), summary: lineOf(json), arguments: json, isJson: true, result: null };
  }
  const given = called.arguments ?? called.input ?? '';
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const pretty = prettyJson(text);
  const isJson = pretty !== null || text.trim() === '';
  return { name: called.name, summary: lineOf(text), arguments: pretty ?? text, isJson, result: null };
}

const ROLES: Record<string, string> = {
  system: t('System|a speaker'),
  developer: t('System|a speaker'),
  user: t('User'),
  assistant: t('Assistant'),
  tool: t('Tool'),
};

/** The role in words; one that people do not know as it is. */
export function roleWords(role: string): string {
  return (Object.hasOwn(ROLES, role) && ROLES[role]) || role;
}

const NOT_TEXT: Record<Exclude<Part['type'], 'text'>, string> = {
  picture: t('[picture]'),
  address: t('[address]'),
  file: t('[file]'),
  value: t('[value]'),
};

/** The beginning of what a turn says, in one line. */
export function turnLine({ parts }: Turn): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : NOT_TEXT[part.type])).join(' ');
  return lineOf(text);
}
