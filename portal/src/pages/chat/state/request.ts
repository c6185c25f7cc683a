import type { Schemas } from '../../../api/schemas.ts';
import type { Asked, Conversation, Exchange, Place, Round } from './conversation.ts';
import { membersOf } from './parameters.ts';
import { type Side, type Source, takenBy } from './sides.ts';
import { toolsOf } from './tools/form.ts';

type ChatMessage = Schemas['ChatMessage'];

/** The project of all that is said here. */
export const PROJECT = 'playground';

/** The next request of a side, without its messages. */
export function askedOf(conversation: Conversation, sources: readonly Source[], index: number): Asked {
  const { threadId, sides, instructions, parameters } = conversation;
  const { vendor, name, model } = sides[index]!;
  const tools = toolsOf(conversation.tools);
  const models = sides.map((side) => takenBy(sources, side, parameters.legacy));
  return {
    projectId: PROJECT,
    threadId,
    provider: vendor,
    ...(name !== null && { providerName: name }),
    model: model.trim(),
    ...(parameters.legacy && vendor === 'openai' && { legacy: true }),
    ...(instructions.trim() !== '' && { instructions }),
    ...membersOf(parameters, models),
    ...(tools.length > 0 && { tools }),
  };
}

/** The model that was asked. */
export function askedSide({ provider, providerName, model }: Asked): Side {
  return { vendor: provider, name: providerName ?? null, model };
}

/** The messages before a round of an answer; `rounds` are those of the same answer before it. */
export function messagesBefore(
  { exchanges }: Conversation,
  { exchange: last, side }: Place,
  rounds: readonly Round[],
): ChatMessage[] {
  const earlier = exchanges.slice(0, last).flatMap((exchange) => messagesOf(exchange, answerIn(exchange, side)));
  return [...earlier, ...messagesOf(exchanges[last]!, rounds)];
}

/** A side that came later continues what the first one has said. */
function answerIn({ answers }: Exchange, side: number): readonly Round[] {
  return answers[side] ?? answers[0] ?? [];
}

function messagesOf({ text, parts }: Exchange, rounds: readonly Round[]): ChatMessage[] {
  const content: ChatMessage['content'] =
    parts.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts];
  return [{ role: 'user', content }, ...rounds.flatMap(messagesOfRound)];
}

/** The API refuses calls without results: those of an answer that was left are not repeated. */
function messagesOfRound({ text, calls, results }: Round): ChatMessage[] {
  const isAnswered = calls.length > 0 && !results.includes(null);
  if (!isAnswered) return text === '' ? [] : [{ role: 'assistant', content: text }];
  return [
    { role: 'assistant', content: text === '' ? null : text, tool_calls: [...calls] },
    ...calls.map((call, index): ChatMessage => {
      const { name } = calledBy(call);
      return { role: 'tool', tool_call_id: String(call.id), name, content: results[index]! };
    }),
  ];
}

/** The function that a call names, and its arguments as text. */
export function calledBy(call: Round['calls'][number]): { name: string; arguments: string } {
  const { name = '', arguments: given = '' } = (call.function ?? {}) as { name?: string; arguments?: string };
  return { name, arguments: given };
}
