import { t } from '../../../language/index.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Check } from '../../../ui/field.tsx';
import { useKeysAreOn } from '../../../ui/use-keys.ts';

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

/** The keys of a queue, and the switch for those that are letters. */
export default function KeyHelp({ onClose }: { onClose(): void }) {
  const [areOn, setOn] = useKeysAreOn();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Keys|of the keyboard')}
      description={t('Letters act while you do not type into a field.')}
    >
      <dl className="facts keys" aria-label={t('Keys|of the keyboard')}>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check
        label={t('Letters and ? act')}
        help={t(
          'Switch them off where speech input or another tool types letters by itself. Ctrl+Enter and Escape stay.',
        )}
        checked={areOn}
        onChange={setOn}
      />
    </Dialog>
  );
}
