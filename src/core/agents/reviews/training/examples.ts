import { type ChatMessage, type ContentPart, readCall } from '../../chat/message.ts';
import { type Line, linesOf } from './lines.ts';
import type { TrainingFormat } from './schema.ts';
import { argumentsOf, correctionOf, type ReviewedAnswer, shapeOf, type Turns, turnsOf } from './shape.ts';

const NOT_RECORDED: Turns = { prompt: [], answer: null, after: [] };

/** The examples, as many as `linesOf` finds from the shape. */
export function examplesOf(format: TrainingFormat, review: ReviewedAnswer): object[] {
  const { rating, conversation } = review;
  const correction = correctionOf(review);
  const turns = conversation === null ? NOT_RECORDED : turnsOf(conversation);
  const { prompt, answer } = turns;
  if (format === 'openai-conversational') return [conversationalExample(review, turns, correction)];
  const shape = conversation && shapeOf(conversation);
  const lines = linesOf(format, { rating, wasCorrected: correction !== null, shape });
  if (lines.length === 0) return [];
  const taught = (line: Line) => (line === 'corrected' ? correction! : answer!);
  switch (format) {
    case 'openai-jsonl':
      return lines.map((line) => supervisedExample(prompt, taught(line)));
    case 'dpo-jsonl':
      return lines.map((line) => preferenceExample(prompt, taught(line), answer!));
    case 'kto-jsonl': {
      const asked = prompt.map(trlMessage);
      return lines.map((line) => unpairedExample(asked, taught(line), line === 'corrected' || rating === 'good'));
    }
  }
}

/** A correction drops the messages after the answer, because they refer to the original. */
function conversationalExample(
  review: ReviewedAnswer,
  { prompt, answer, after }: Turns,
  correction: ChatMessage | null,
) {
  const recorded = answer === null ? prompt : [...prompt, answer, ...after];
  return {
    messages: (correction === null ? recorded : [...prompt, correction]).map(recordedMessage),
    metadata: {
      review_id: review.reviewId,
      execution_id: review.executionId,
      rating: review.rating,
      was_corrected: review.correctedOutput !== null,
      ...(review.assessments && { assessments: review.assessments }),
    },
  };
}

/** Weight 0: the review does not rate earlier assistant messages. */
function supervisedExample(prompt: ChatMessage[], answer: ChatMessage) {
  const turns: object[] = prompt.map((turn) =>
    turn.role === 'assistant' ? { ...openAiMessage(turn), weight: 0 } : openAiMessage(turn),
  );
  turns.push(openAiMessage(answer));
  return { messages: turns };
}

function preferenceExample(prompt: ChatMessage[], preferred: ChatMessage, other: ChatMessage) {
  return {
    input: { messages: prompt.map(openAiMessage) },
    preferred_output: [openAiMessage(preferred)],
    non_preferred_output: [openAiMessage(other)],
  };
}

function unpairedExample(prompt: object[], answer: ChatMessage, label: boolean) {
  return { prompt, completion: [trlMessage(answer)], label };
}

/* Sources: OpenAI's fine-tuning schemas and guides, TRL's pages on dataset formats and KTO. */

export function recordedMessage({ role, content, tool_calls, tool_call_id, name }: ChatMessage) {
  return { role, content: content ?? undefined, tool_calls, tool_call_id, name };
}

/** OpenAI's fine-tuning accepts a name on every message except tool messages. */
export function openAiMessage({ role, content, tool_calls: calls, tool_call_id, name }: ChatMessage) {
  if (role === 'tool') return { role, tool_call_id, content: plain(content) };
  return { role, content: plain(content), name, tool_calls: calls?.map(openAiCall) };
}

/** TRL's tool messages have names, and its calls have their arguments as an object. */
export function trlMessage({ role, content, tool_calls: calls, tool_call_id, name }: ChatMessage) {
  if (role === 'tool') return { role, name, tool_call_id, content: plain(content) };
  return { role, content: plain(content), tool_calls: calls?.map(trlCall) };
}

function openAiCall(recorded: Record<string, unknown>) {
  const { id, name, arguments: text } = readCall(recorded)!;
  return { id, type: 'function', function: { name, arguments: text } };
}

function trlCall(recorded: Record<string, unknown>) {
  const { id, name, arguments: text } = readCall(recorded)!;
  return { id, type: 'function', function: { name, arguments: argumentsOf(text) } };
}

/** OpenAI accepts only strings from tools; a data set's column has either strings or lists. */
function plain(content: ChatMessage['content']): string | ContentPart[] | undefined {
  if (typeof content === 'string') return content;
  if (content === null) return undefined;
  const texts = content.filter((part) => part.type === 'text').map(({ text }) => text);
  return texts.length === content.length ? texts.join('') : content;
}
