import type { Schemas } from '../../api/schemas.ts';

export type Counts = Schemas['TrainingCounts'];
export type Format = Counts['formats'][number]['format'];

export const FORMATS: readonly { value: Format; label: string; help: string }[] = [
  {
    value: 'openai-jsonl',
    label: 'Supervised (SFT)',
    help: 'For OpenAI’s supervised fine-tuning: answers rated good, and corrected ones.',
  },
  {
    value: 'dpo-jsonl',
    label: 'Preference (DPO)',
    help: 'For OpenAI’s preference fine-tuning: the correction beside the original answer.',
  },
  {
    value: 'kto-jsonl',
    label: 'Good or bad (KTO)',
    help: 'For TRL: each answer with its label; a correction is a line of its own.',
  },
  {
    value: 'openai-conversational',
    label: 'Conversations',
    help: 'One JSON document with every review as an example, uncorrected bad answers included.',
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

/** "line", or "example" where the file has no lines. */
export function nounOf(format: Format): string {
  return isDocument(format) ? 'example' : 'line';
}

export function fileNameOf(format: Format): string {
  return `training-${format}`.replace(/-jsonl$/, '') + (isDocument(format) ? '.json' : '.jsonl');
}

/** "1 line", "1,200 lines". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}
