import type { ChatMessage } from '../../chat/message.ts';
import { correctionOf, type ReviewedAnswer, type Turns, turnsOf } from './example.ts';
import { type Line, linesOf } from './expressible.ts';
import { openAiMessage, recordedMessage, trlMessage } from './messages.ts';
import type { TrainingFormat } from './schema.ts';
import { shapeOf } from './shape.ts';

const NOT_RECORDED: Turns = { prompt: [], answer: null, after: [] };

/** As many as `linesOf` finds from the shape. */
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
