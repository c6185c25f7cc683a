import type { Schemas } from '../../../api/schemas.ts';
import type { Conversation, Exchange, Place, Round } from './conversation.ts';
import { membersOf } from './parameters.ts';
import { type Source, takenBy } from './sides.ts';
import { toolsOf } from './tools/form.ts';

type ChatRequest = Schemas['ChatRequest'];
type ChatMessage = Schemas['ChatMessage'];

/** The project of all that is said here. */
export const PROJECT = 'playground';

/** The request for the next round of an answer; `rounds` of it are known. */
export function requestOf(
  conversation: Conversation,
  sources: readonly Source[],
  { exchange: last, side: index }: Place,
  rounds: readonly Round[],
): ChatRequest {
  const { threadId, sides, instructions, parameters, exchanges } = conversation;
  const side = sides[index]!;
  const { vendor, name, model } = side;
  const tools = toolsOf(conversation.tools);
  const models = sides.map((one) => takenBy(sources, one, parameters.legacy));
  const earlier = exchanges.slice(0, last).flatMap((one) => messagesOf(one, answerIn(one, index)));
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
    messages: [...earlier, ...messagesOf(exchanges[last]!, rounds)],
  };
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
