import { t } from '../../../language/index.ts';
import { KeyHelp } from '../../../ui/key-help.tsx';

const KEYS = [
  ['J', t('Skip this item and go on to the next one; from an earlier item, on towards the newest')],
  ['K', t('Back to the item before')],
  ['G', t('Rate good')],
  ['N', t('Rate needs improvement')],
  ['B', t('Rate bad')],
  ['E', t('Edit the corrected answer')],
  ['C', t('Comment')],
  ['T', t('Tags')],
  ['S', t('Status')],
  ['P', t('Priority')],
  ['U', t('Undo the last save or skip')],
  ['?', t('This help')],
  ['Ctrl+Enter', t('Save and go on to the next item, also while you type')],
  ['Escape', t('Leave a field')],
] as const;

/** The keys of a queue. */
export default function QueueKeys({ onClose }: { onClose(): void }) {
  return <KeyHelp keys={KEYS} onClose={onClose} />;
}
