import { useTask } from '../ui/refusal.tsx';
import { sentenceOf } from './messages.ts';

/** A task of a form, with what went wrong, in the words of this form. */
export function useTold() {
  const { error, ...task } = useTask();
  return { ...task, fault: error === null ? null : sentenceOf(error) };
}
