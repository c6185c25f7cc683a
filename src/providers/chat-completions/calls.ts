import { randomUUID } from 'node:crypto';
import { ProviderFault, type ToolCall } from '../../core/agents/chat/provider.ts';
import { tryParseJson, tryParseObject } from '../shared/json.ts';

/** A part of a call as servers write it: each member may be missing, null or empty. */
export interface CallPart {
  index?: number | string | null;
  id?: string | number | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  extra_content?: Record<string, unknown>;
}

/** A stream with more calls than any model makes is an error of the server. */
const MAX_CALLS = 1_000;

/** Arguments that stand for those that come later, or for none. */
const PLACEHOLDER = /^\s*(\{\s*\}|null)\s*$/;
const NOTHING_READ = { last: '', hasArguments: false, depth: 0, isInString: false, isEscaped: false };

interface Begun {
  call: ToolCall;
  /** Undefined if the server has sent none; then the call has an id of ours. */
  sentId: string | undefined;
  /** The last part of its arguments. */
  last: string;
  /** Whether its arguments hold more than white space. */
  hasArguments: boolean;
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
}

/**
 * Puts calls together from their parts. Servers number every call 0, or number none; they leave ids
 * out, repeat one, or change it in each part; they repeat names or cut them, send arguments as
 * objects, first as `{}`, or whole in each part, or send the end of a call under another index.
 */
export class CallCollector {
  private readonly begun: Begun[] = [];
  private readonly byKey = new Map<number, Begun>();

  get calls(): ToolCall[] {
    return this.begun.map(({ call }) => call);
  }

  add(parts: readonly CallPart[]): void {
    for (const [position, part] of parts.entries()) this.addPart(part, position);
  }

  /** Throws `broken` if a call has no name. */
  end(): ToolCall[] {
    for (const { call, last } of this.begun) {
      const { function: called } = call;
      if (called.name === '') throw new ProviderFault('broken', 'The provider sent a call without a name.');
      if (/^\s*(null)?\s*$/.test(called.arguments)) called.arguments = '{}';
      // Some servers send all that they have in each part.
      else if (tryParseJson(called.arguments) === undefined && tryParseObject(last)) called.arguments = last;
    }
    return this.calls;
  }

  private addPart({ index, id, function: called, extra_content: extra }: CallPart, position: number): void {
    const key = Number(index ?? position);
    const sentId = id && id !== 'null' ? String(id) : undefined;
    const name = called?.name || '';
    const text = textOf(called?.arguments);
    const known = this.knownTo(key, sentId, name);
    if (!known && !name && !sentId && text === '') return;
    const isOne = known?.sentId !== undefined && (sentId ?? known.sentId) === known.sentId;
    const isAgain = known && isOne && isRepeated(known, name, text);
    const isCutName = isOne && known === this.byKey.get(key) && !known.hasArguments;
    const isBegun = isOne && name === known.call.function.name && isPlaceholder(known);
    const one =
      known && (isAgain || isCutName || isBegun || continues(known, sentId, name)) ? known : this.begin(sentId);
    this.byKey.set(key, one);
    const { function: begun } = one.call;
    if (name) begun.name = isCutName && !name.startsWith(begun.name) ? begun.name + name : name;
    if (!isAgain) append(one, text);
    if (extra) one.call.extra_content = { ...one.call.extra_content, ...extra };
  }

  /**
   * The call of the index, unless the id names another one, or the call is whole while another is
   * not.
   */
  private knownTo(key: number, sentId: string | undefined, name: string): Begun | undefined {
    const numbered = this.byKey.get(key);
    if (sentId !== undefined) {
      if (numbered?.sentId === sentId) return numbered;
      return this.begun.findLast((one) => one.sentId === sentId) ?? numbered;
    }
    if (name || (numbered && !isWhole(numbered))) return numbered;
    return this.begun.findLast((one) => !isWhole(one)) ?? numbered;
  }

  private begin(sentId: string | undefined): Begun {
    if (this.begun.length === MAX_CALLS) throw new ProviderFault('broken', 'The provider sent too many calls.');
    const isTaken = this.begun.some(({ call }) => call.id === sentId);
    // Mistral takes ids of nine letters and digits alone. An id that repeats in the next answer
    // would name two calls.
    const id = sentId === undefined || isTaken ? randomUUID().replaceAll('-', '').slice(0, 9) : sentId;
    const call: ToolCall = { id, type: 'function', function: { name: '', arguments: '' } };
    const one = { call, sentId, ...NOTHING_READ };
    this.begun.push(one);
    return one;
  }
}

function continues(known: Begun, sentId: string | undefined, name: string): boolean {
  const { name: before } = known.call.function;
  if (name === '' || before === '') return true;
  if (name !== before || isWhole(known)) return false;
  return sentId === undefined || known.sentId === undefined || sentId === known.sentId;
}

/** Some servers send the name once more, or the call when it is whole. */
function isRepeated(known: Begun, name: string, text: string): boolean {
  const { name: before, arguments: sent } = known.call.function;
  return name === before ? text === '' || text === sent : !name && isWhole(known) && text === sent;
}

function isPlaceholder(known: Begun): boolean {
  return isWhole(known) && PLACEHOLDER.test(known.call.function.arguments);
}

function textOf(sent: unknown): string {
  if (typeof sent === 'string') return sent;
  if (typeof sent === 'object') return sent === null ? '' : JSON.stringify(sent);
  if (sent === undefined) return '';
  throw new TypeError('arguments are neither text nor an object');
}

function isWhole({ hasArguments, depth }: Begun): boolean {
  return hasArguments && depth === 0;
}

/**
 * Counts the brackets as they come: parsing after each part would take time that grows with the
 * square.
 */
function append(one: Begun, text: string): void {
  if (text.trim() !== '' && isPlaceholder(one)) {
    Object.assign(one, NOTHING_READ);
    one.call.function.arguments = '';
  }
  one.call.function.arguments += text;
  one.last = text;
  one.hasArguments ||= text.trim() !== '';
  for (const character of text) {
    if (one.isEscaped) one.isEscaped = false;
    else if (character === '\\') one.isEscaped = one.isInString;
    else if (character === '"') one.isInString = !one.isInString;
    else if (!one.isInString && (character === '{' || character === '[')) one.depth++;
    else if (!one.isInString && (character === '}' || character === ']')) one.depth--;
  }
}
