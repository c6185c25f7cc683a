import { type ChatMessage, type ContentPart, readCall, textsOf } from '../../core/agents/chat/message.ts';
import { refused, type ToolCall } from '../../core/agents/chat/provider.ts';
import type { ChatRequest } from '../../core/agents/chat/schema.ts';
import { tryParseObject } from './json.ts';

/** Sent back unchanged with the calls that followed. Anthropic and Bedrock accept each other's. */
export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export function thoughtsOf({ extra_content: extra }: Record<string, unknown>): Thought[] {
  const { anthropic } = (extra ?? {}) as { anthropic?: { thinking?: unknown } | null };
  const thinking = anthropic?.thinking;
  return Array.isArray(thinking) ? thinking.filter(isThought) : [];
}

function isThought(value: unknown): value is Thought {
  const { type, thinking, signature, data } = (value ?? {}) as Record<string, unknown>;
  if (type === 'redacted_thinking') return typeof data === 'string';
  return type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string';
}

/** Supports only the order thoughts, text, calls: OpenAI's format cannot express any other. */
export class ThoughtCollector {
  private thoughts: Thought[] = [];
  private before: 'thoughts' | 'text' | 'other' = 'thoughts';

  observe(kind: 'text' | 'other'): void {
    if (this.before !== 'other') this.before = kind;
  }

  /** A thought without a signature cannot be sent back. */
  add(thought: Thought): void {
    if (this.before !== 'thoughts') this.before = 'other';
    else if (thought.type === 'redacted_thinking' || thought.signature !== '') this.thoughts.push(thought);
  }

  attachTo(call: ToolCall): ToolCall {
    const precede = this.before !== 'other' && this.thoughts.length > 0;
    this.before = 'other';
    return precede ? { ...call, extra_content: { anthropic: { thinking: this.thoughts } } } : call;
  }
}

export type PartOf<Type extends ContentPart['type']> = Extract<ContentPart, { type: Type }>;

/** A `path` names the part in errors. */
export interface Blocks<Block> {
  text(text: string): Block;
  image(part: PartOf<'image_url'>, path: string): Block;
  file(part: PartOf<'file'>, path: string): Block;
  thought(thought: Thought): Block;
  call(call: { id: string; name: string; input: object }): Block;
  result(result: { id: string; texts: string[] }): Block;
}

export interface VendorTurn<Block> {
  role: 'user' | 'assistant' | 'system';
  content: Block[];
}

export interface VendorConversation<Block> {
  system: string[];
  turns: VendorTurn<Block>[];
}

export interface TurnOptions {
  /** Otherwise all system messages go first. */
  takesLaterSystem: boolean;
  thinks: boolean;
}

/** Merges adjacent messages of one role. Omits blank texts, which the APIs refuse. */
export function conversationOf<Block>(
  { instructions, messages }: ChatRequest,
  blocks: Blocks<Block>,
  { takesLaterSystem, thinks }: TurnOptions,
): VendorConversation<Block> {
  const system = instructions === undefined ? [] : [instructions];
  const turns = new Turns(blocks);
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'system') {
      if (takesLaterSystem && !turns.isEmpty) turns.addSystem(textsOf(message.content));
      else system.push(...textsOf(message.content));
    } else if (message.role === 'tool') {
      turns.add('user', [blocks.result({ id: idOf(message.tool_call_id ?? ''), texts: textsOf(message.content) })]);
    } else if (message.role === 'user') {
      turns.add('user', contentOf(message, path, blocks));
    } else {
      const thoughts = thinks ? (message.tool_calls ?? []).flatMap(thoughtsOf).map(blocks.thought) : [];
      turns.add('assistant', [...thoughts, ...contentOf(message, path, blocks), ...callsOf(message, path, blocks)]);
    }
  }
  const { all, remaining } = turns.end();
  if (all.length === 0) {
    throw refused('messages: hold nothing that is said to the model; add a user message with text');
  }
  return { system: [...system, ...remaining].filter(hasWords), turns: all };
}

/** Whether the last calls came back without their thoughts. */
export function lacksThoughts({ messages }: ChatRequest): boolean {
  const calls = messages.findLast(({ role }) => role === 'assistant')?.tool_calls ?? [];
  return calls.length > 0 && calls.flatMap(thoughtsOf).length === 0;
}

class Turns<Block> {
  private readonly blocks: Blocks<Block>;
  private readonly all: VendorTurn<Block>[] = [];
  /** Added after the user's message, the only position where these APIs accept them. */
  private systemTexts: string[] = [];

  constructor(blocks: Blocks<Block>) {
    this.blocks = blocks;
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  add(role: 'user' | 'assistant', content: Block[]): void {
    if (content.length > 0) this.turn(role).content.push(...content);
  }

  addSystem(texts: string[]): void {
    this.systemTexts.push(...texts.filter(hasWords));
  }

  /** `remaining`: system texts after which no user turn came. */
  end(): { all: VendorTurn<Block>[]; remaining: string[] } {
    this.flushSystem();
    return { all: this.all, remaining: this.systemTexts };
  }

  private turn(role: 'user' | 'assistant'): VendorTurn<Block> {
    const last = this.all.at(-1);
    if (last?.role === role) return last;
    if (role === 'assistant') this.flushSystem();
    const turn: VendorTurn<Block> = { role, content: [] };
    this.all.push(turn);
    return turn;
  }

  private flushSystem(): void {
    if (this.systemTexts.length === 0 || this.all.at(-1)?.role !== 'user') return;
    this.all.push({ role: 'system', content: this.systemTexts.map(this.blocks.text) });
    this.systemTexts = [];
  }
}

function contentOf<Block>({ content }: ChatMessage, path: string, blocks: Blocks<Block>): Block[] {
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return parts.flatMap((part, position) => {
    const at = `${path}.content[${position}]`;
    if (part.type === 'image_url') return [blocks.image(part, at)];
    if (part.type === 'file') return [blocks.file(part, at)];
    return hasWords(part.text) ? [blocks.text(part.text)] : [];
  });
}

function callsOf<Block>({ tool_calls: calls = [] }: ChatMessage, path: string, blocks: Blocks<Block>): Block[] {
  return calls.map((recorded, position) => {
    const at = `${path}.tool_calls[${position}]`;
    const call = readCall(recorded);
    if (!call) throw refused(`${at}: is not a call of a function`);
    const input = inputOf(call.arguments, `${at}.function.arguments`);
    return blocks.call({ id: idOf(call.id), name: call.name, input });
  });
}

function inputOf(text: string, path: string): object {
  const input = hasWords(text) ? tryParseObject(text) : {};
  if (input) return input;
  throw refused(`${path}: must be a JSON object, written as text`);
}

/** Other vendors' ids may contain characters that these APIs refuse. */
function idOf(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

function hasWords(text: string): boolean {
  return text.trim() !== '';
}
