import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';

export type Counts = Schemas['TrainingCounts'];
export type Format = Counts['formats'][number]['format'];

export const FORMATS: readonly { value: Format; label: string; help: string }[] = [
  {
    value: 'openai-jsonl',
    label: t('Supervised (SFT)'),
    help: t('For OpenAI’s supervised fine-tuning: answers rated good, and corrected ones.'),
  },
  {
    value: 'dpo-jsonl',
    label: t('Preference (DPO)'),
    help: t('For OpenAI’s preference fine-tuning: the correction beside the original answer.'),
  },
  {
    value: 'kto-jsonl',
    label: t('Good or bad (KTO)'),
    help: t('For TRL: each answer with its label; a correction is a line of its own.'),
  },
  {
    value: 'openai-conversational',
    label: t('Conversations|a format'),
    help: t('One JSON document with every review as an example, uncorrected bad answers included.'),
  },
];

/** The format of the address; the first one if it names none. */
export function formatOf(text: string | undefined): Format {
  return FORMATS.find(({ value }) => value === text)?.value ?? FORMATS[0]!.value;
}

/** The conversations are one document, the other formats a line for each example. */
export function isDocument(format: Format): boolean {
  return format === 'openai-conversational';
}

export function fileNameOf(format: Format): string {
  return `training-${format}`.replace(/-jsonl$/, '') + (isDocument(format) ? '.json' : '.jsonl');
}

/** "1 line", "1,200 lines"; examples, where the file has no lines. */
export function lengthText(count: number, format: Format): string {
  return isDocument(format)
    ? t.count(count, '{count} example', '{count} examples')
    : t.count(count, '{count} line', '{count} lines');
}

/** Why a format leaves a review out, in the language of the page. */
export const REASONS: Record<Counts['formats'][number]['reasons'][number]['reason'], string> = {
  not_recorded: t('The execution was not recorded.'),
  no_question: t('No question stands right before the answer.'),
  content: t('The conversation holds a file, or images that fine-tuning refuses.'),
  tool_calls: t('A tool call of the conversation has no answer, or is not one of a function.'),
  images: t('The conversation has images, which this format cannot hold.'),
  arguments: t('The arguments of a tool call are not a JSON object, as this format needs them.'),
  no_answer: t('No answer was recorded, or one that the format cannot hold.'),
  not_good: t('The answer was not rated good, and nobody has corrected it.'),
  not_corrected: t('Nobody has corrected the answer, so there is nothing to prefer.'),
  undecided: t('The answer was rated needs_improvement, neither good nor bad, and nobody has corrected it.'),
};
