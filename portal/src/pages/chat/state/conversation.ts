import type { ChatEvent, ChatUsage, ToolCall } from '../../../../../clients/typescript/src/chat.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { NO_PARAMETERS, type ParametersForm } from './parameters.ts';
import type { Side } from './sides.ts';
import { NO_TOOLS, type ToolsForm } from './tools/form.ts';

export type ContentPart = Schemas['ContentPart'];

/** A message that the user writes. */
export interface Composed {
  text: string;
  /** Images and files. */
  parts: readonly ContentPart[];
  /** The exchange that it replaces, with all that follow; null for a new one. */
  replaces: number | null;
}

/** A request without its messages. */
export type Asked = Omit<Schemas['ChatRequest'], 'messages'>;

/** One answer of a model. A model that calls tools is asked again with their results: each time is a round. */
export interface Round {
  /** The request, without its messages: settings may be others by now. */
  asked: Asked;
  status: 'running' | 'done' | 'stopped' | 'failed';
  text: string;
  reasoning: string;
  calls: readonly ToolCall[];
  /** One for each call; null until there is one. */
  results: readonly (string | null)[];
  executionId: string | null;
  /** The model that answered: after a fallback another than was asked. Null until it is known. */
  answeredBy: Side | null;
  finishReason: string | null;
  usage: ChatUsage | null;
  /** US dollars; null: no price is known. Undefined until the record of the answer was read. */
  cost?: number | null;
  warnings: readonly string[];
  dropped: readonly string[];
  /** Milliseconds in this browser, from the request to the first content and to the end. */
  firstMs: number | null;
  totalMs: number | null;
  /** Why it failed. */
  fault: string | null;
}

/** A message of the user, and for each side of then the rounds of its answer. */
export interface Exchange {
  text: string;
  parts: readonly ContentPart[];
  answers: readonly (readonly Round[])[];
}

export interface Conversation {
  threadId: string;
  sides: readonly Side[];
  instructions: string;
  parameters: ParametersForm;
  tools: ToolsForm;
  exchanges: readonly Exchange[];
  composed: Composed;
}

/** The answer of a side in an exchange. */
export interface Place {
  exchange: number;
  side: number;
}

export const NOTHING_COMPOSED: Composed = { text: '', parts: [], replaces: null };

/** A conversation without messages. What was set stays for the next one. */
export function newConversation(threadId: string, sides: readonly Side[], before?: Conversation): Conversation {
  const { instructions = '', parameters = NO_PARAMETERS, tools = NO_TOOLS } = before ?? {};
  return { threadId, sides, instructions, parameters, tools, exchanges: [], composed: NOTHING_COMPOSED };
}

/** The composed message is sent: each side owes an answer. */
export function sent(conversation: Conversation): Conversation {
  const { composed, sides, exchanges } = conversation;
  const { text, parts, replaces } = composed;
  const exchange: Exchange = { text: text.trim(), parts, answers: sides.map(() => []) };
  const kept = exchanges.slice(0, replaces ?? exchanges.length);
  return { ...conversation, exchanges: [...kept, exchange], composed: NOTHING_COMPOSED };
}

/** A message is written anew; it and what follows stay until the new one is sent. */
export function edited(conversation: Conversation, exchange: number): Conversation {
  const { text, parts } = conversation.exchanges[exchange]!;
  return { ...conversation, composed: { text, parts, replaces: exchange } };
}

export function roundsAt({ exchanges }: Conversation, { exchange, side }: Place): readonly Round[] {
  return exchanges[exchange]?.answers[side] ?? [];
}

function withRounds(conversation: Conversation, { exchange: at, side }: Place, rounds: readonly Round[]): Conversation {
  const { exchanges } = conversation;
  const exchange = exchanges[at];
  if (exchange === undefined) return conversation;
  const changed = { ...exchange, answers: exchange.answers.with(side, rounds) };
  return { ...conversation, exchanges: exchanges.with(at, changed) };
}

function withLast(conversation: Conversation, place: Place, change: (round: Round) => Round): Conversation {
  const rounds = roundsAt(conversation, place);
  const last = rounds.at(-1);
  return last === undefined ? conversation : withRounds(conversation, place, rounds.with(-1, change(last)));
}

/** A model is asked. A last round that failed or was stopped without calls makes room. */
export function begun(conversation: Conversation, place: Place, asked: Asked): Conversation {
  const rounds = roundsAt(conversation, place);
  const kept = rounds.at(-1)?.status === 'done' ? rounds : rounds.slice(0, -1);
  const round: Round = {
    ...{ asked, status: 'running', text: '', reasoning: '', calls: [], results: [] },
    ...{ executionId: null, answeredBy: null, finishReason: null, usage: null, warnings: [], dropped: [] },
    ...{ firstMs: null, totalMs: null, fault: null },
  };
  return withRounds(conversation, place, [...kept, round]);
}

/** The server has named the execution that records the answer. */
export function recordedAs(conversation: Conversation, place: Place, executionId: string): Conversation {
  return withLast(conversation, place, (round) => ({ ...round, executionId }));
}

/** An event of the answer came, so many milliseconds after the request. */
export function heard(conversation: Conversation, place: Place, event: ChatEvent, ms: number): Conversation {
  return withLast(conversation, place, (round) => roundWith(round, event, ms));
}

function roundWith(round: Round, event: ChatEvent, ms: number): Round {
  const firstMs = round.firstMs ?? ms;
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return { ...round, firstMs, [event.type]: round[event.type] + event.text };
    case 'tool_call':
      return { ...round, firstMs, calls: [...round.calls, event.call], results: [...round.results, null] };
    case 'usage':
      return { ...round, usage: event.usage };
    case 'warning': {
      const { droppedParams } = event;
      if (droppedParams !== undefined) return { ...round, dropped: [...round.dropped, ...droppedParams] };
      return { ...round, warnings: [...round.warnings, event.message] };
    }
    case 'done': {
      const { finishReason, executionId, provider, providerName, model } = event;
      const answeredBy = { vendor: provider, name: providerName, model };
      return { ...round, status: 'done', finishReason, executionId, answeredBy, totalMs: ms };
    }
  }
}

/** The answer ended before it was complete; without a fault, because the user stopped it. */
export function brokenOff(conversation: Conversation, place: Place, fault: string | null, ms: number): Conversation {
  const status = fault === null ? 'stopped' : 'failed';
  return withLast(conversation, place, (round) => ({ ...round, status, fault, totalMs: ms }));
}

/** The record of an answer says what it cost. */
export function withCost(
  conversation: Conversation,
  place: Place,
  executionId: string,
  cost: number | null,
): Conversation {
  const rounds = roundsAt(conversation, place);
  const priced = rounds.map((round) => (round.executionId === executionId ? { ...round, cost } : round));
  return withRounds(conversation, place, priced);
}

/** A model more answers from now on; what was said before it came is that of the first. */
export function withSide(conversation: Conversation, side: Side): Conversation {
  return { ...conversation, sides: [...conversation.sides, side] };
}

/** A side leaves with its answers. */
export function withoutSide(conversation: Conversation, side: number): Conversation {
  const exchanges = conversation.exchanges.map((exchange) => ({
    ...exchange,
    answers: exchange.answers.length > 1 ? exchange.answers.toSpliced(side, 1) : exchange.answers,
  }));
  return { ...conversation, sides: conversation.sides.toSpliced(side, 1), exchanges };
}

/** A call of the last round has its result. */
export function withResult(conversation: Conversation, place: Place, call: number, result: string): Conversation {
  return withLast(conversation, place, (round) => ({ ...round, results: round.results.with(call, result) }));
}

/** True if the model waits for nothing but to be asked again: all its calls have results. */
export function isDue(round: Round | undefined): boolean {
  return round?.status === 'done' && round.calls.length > 0 && !round.results.includes(null);
}

export function isRunning({ exchanges }: Conversation): boolean {
  return exchanges.some(({ answers }) => answers.some((rounds) => rounds.at(-1)?.status === 'running'));
}

/** A conversation as a browser kept it: an answer that streamed then is not continued. */
export function restored(conversation: Conversation): Conversation {
  const ended = (round: Round): Round => (round.status === 'running' ? { ...round, status: 'stopped' } : round);
  const exchanges = conversation.exchanges.map((exchange) => ({
    ...exchange,
    answers: exchange.answers.map((rounds) => rounds.map(ended)),
  }));
  return { ...conversation, exchanges };
}
